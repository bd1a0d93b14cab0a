import type { CountsApart, OutcomeCounts } from "./memory-data.ts";

/** The counts of one pair. */
interface PairCounts {
  initialRecovered: number;
  initialFailed: number;
  recovered: number;
  failed: number;
  /** The last episode that counted here, so that it counts once. */
  episode: number;
}

/** A pair of names with its counts. */
export interface CountedPair<B extends string> extends CountsApart<OutcomeCounts> {
  readonly first: string;
  readonly second: B;
}

/** Counts by pairs of names. Names are keys of nested maps, so that no two pairs can collide whatever the names hold. */
export class PairTable<B extends string> {
  readonly #rows: Map<string, Map<B, PairCounts>> = new Map();
  readonly #compare: (a: B, b: B) => number;

  /** @param compare - the order of second names; first names are ordered by UTF-16 code units */
  constructor(compare: (a: B, b: B) => number) {
    this.#compare = compare;
  }

  /** Counts an episode for a pair, however often it is told of it. `episode` differs from that of every other episode. */
  count(first: string, second: B, recovered: boolean, episode: number): void {
    const pair = this.#pair(first, second);
    if (pair.episode === episode) return;
    pair.episode = episode;
    if (recovered) pair.recovered += 1;
    else pair.failed += 1;
  }

  /** Sets the counts of a pair. */
  set({ first, second, initial, observed }: CountedPair<B>): void {
    const pair = this.#pair(first, second);
    pair.initialRecovered = initial.recovered;
    pair.initialFailed = initial.failed;
    pair.recovered = observed.recovered;
    pair.failed = observed.failed;
  }

  /** All counts of a pair, initial and observed; zeros for one that was never met. */
  total(first: string, second: B): OutcomeCounts {
    const pair = this.#rows.get(first)?.get(second);
    if (pair === undefined) return { recovered: 0, failed: 0 };
    return {
      recovered: pair.initialRecovered + pair.recovered,
      failed: pair.initialFailed + pair.failed,
    };
  }

  /** Forgets what was observed since the initial counts. */
  reset(): void {
    for (const row of this.#rows.values()) {
      for (const pair of row.values()) {
        pair.recovered = 0;
        pair.failed = 0;
      }
    }
  }

  /** The pairs with counts, in order. */
  list(): CountedPair<B>[] {
    const firsts = [...this.#rows].sort(([a], [b]) => compareText(a, b));
    return firsts.flatMap(([first, row]) => {
      const seconds = [...row].sort(([a], [b]) => this.#compare(a, b)).filter(([, pair]) => hasCounts(pair));
      return seconds.map(([second, pair]) => ({
        first,
        second,
        initial: { recovered: pair.initialRecovered, failed: pair.initialFailed },
        observed: { recovered: pair.recovered, failed: pair.failed },
      }));
    });
  }

  #pair(first: string, second: B): PairCounts {
    let row = this.#rows.get(first);
    if (row === undefined) {
      row = new Map();
      this.#rows.set(first, row);
    }
    let pair = row.get(second);
    if (pair === undefined) {
      pair = { initialRecovered: 0, initialFailed: 0, recovered: 0, failed: 0, episode: -1 };
      row.set(second, pair);
    }
    return pair;
  }
}

/** Order by UTF-16 code units, the same on any machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function hasCounts({ initialRecovered, initialFailed, recovered, failed }: PairCounts): boolean {
  return initialRecovered + initialFailed + recovered + failed > 0;
}
