import { afterEach, describe, expect, it, vi } from "vitest";
import { standardOutput } from "../../src/cli/standard-output.ts";

/** Standard output that takes `room` pieces before it asks to wait. */
function slowReader(room: number): string[] {
  const taken: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation(((bytes: Uint8Array) => {
    taken.push(Buffer.from(bytes).toString());
    return taken.length < room;
  }) as typeof process.stdout.write);
  return taken;
}

afterEach(() => vi.restoreAllMocks());

describe("standardOutput", () => {
  it("writes bytes in order and counts them", async () => {
    const taken = slowReader(10);
    const sink = standardOutput();
    expect(sink.position).toBe(0);
    await sink.write(Buffer.from("one"));
    await sink.write(Buffer.from("größer"));
    expect(sink.position).toBe(3 + 8);
    expect(taken).toEqual(["one", "größer"]);
  });

  it("waits until a slow reader has caught up", async () => {
    const taken = slowReader(1);
    const sink = standardOutput();
    const listeners = process.stdout.listenerCount("drain");
    let done = false;
    const write = sink.write(Buffer.from("x")).then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toEqual(["x"]);
    expect(done).toBe(false);
    process.stdout.emit("drain");
    await write;
    expect(process.stdout.listenerCount("drain")).toBe(listeners);
  });
});
