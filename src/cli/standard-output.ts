import type { ByteSink } from "../data/byte-sink.ts";

/** Says something on standard error when standard output, which has it too, goes into a file or a pipe. */
export function redirectedNote(text: string): void {
  if (process.stdout.isTTY !== true) process.stderr.write(text);
}

/** Standard output as a sink: waits while the reader of the pipe is slower than we are. */
export function standardOutput(): ByteSink {
  let position = 0;
  return {
    get position() {
      return position;
    },
    async write(bytes) {
      position += bytes.length;
      if (process.stdout.write(bytes)) return;
      await new Promise<void>((resolve) => process.stdout.once("drain", resolve));
    },
  };
}
