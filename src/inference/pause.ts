/** Waits. @throws the reason of the first signal that aborts, or has aborted: an attempt can end after a soft stop. */
export async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  for (const signal of signals) signal.throwIfAborted();
  const done = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    for (const signal of signals) {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true, signal: done.signal });
    }
  }).finally(() => done.abort());
}
