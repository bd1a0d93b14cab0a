/**
 * The values of a generator, which makes the next one while the last one is used. It is closed when the loop ends, however that ends, and
 * not before what it is doing is done.
 */
export async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done === true) return;
      next = source.next();
      // A failure is thrown when its turn comes.
      next.catch(() => undefined);
      yield value as T;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return(undefined);
  }
}
