import type { ByteSink } from "../data/byte-sink.ts";

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
