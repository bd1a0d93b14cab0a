/** Shows how far a long run is, on a terminal only. */
export interface Progress {
  /** Rows, or whatever is counted, since the last call. */
  add(rows: number): void;
  /** Names the stage that begins. */
  stage(name: string): void;
  /** Removes the line. */
  end(): void;
}

const INTERVAL_MS = 200;

/** Progress, from the stage `first` on, on standard error when it is a terminal and `quiet` is off; else silence. */
export function createProgress(
  quiet: boolean,
  first: string,
  now: () => number,
  counted: string = "rows",
): Progress {
  const shown = !quiet && process.stderr.isTTY === true;
  const started = now();
  let rows = 0;
  let stage = first;
  let last = 0;
  const draw = (): void => {
    const seconds = Math.max((now() - started) / 1000, 1e-3);
    const rate = Math.round(rows / seconds).toLocaleString("en-US");
    process.stderr.write(
      `\r\x1b[K${stage}: ${rows.toLocaleString("en-US")} ${counted}, ${rate} ${counted}/s`,
    );
  };
  return {
    add(count) {
      rows += count;
      if (!shown || now() - last < INTERVAL_MS) return;
      last = now();
      draw();
    },
    stage(name) {
      stage = name;
      if (shown) draw();
    },
    end() {
      if (shown) process.stderr.write("\r\x1b[K");
    },
  };
}
