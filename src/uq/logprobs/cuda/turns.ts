/** Work that is done one after the other. */
export interface Turns {
  /** Does `work` after what came before, whether that failed or not. */
  take<Value>(work: () => Promise<Value>): Promise<Value>;
  /** How many pieces of work are not done yet. */
  waiting(): number;
}

/** A queue without a limit. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return {
    take: (work) => {
      count++;
      const result = last.then(work).finally(() => {
        count--;
      });
      last = result.catch(() => {});
      return result;
    },
    waiting: () => count,
  };
}
