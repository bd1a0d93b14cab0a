import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { openTensorFile } from "../../../src/data/tensors/read-tensor-file.ts";
import type { Tensor, TensorFile } from "../../../src/data/tensors/tensor.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";
import { npyBytes, safetensorsBytes } from "./tensor-bytes.ts";

const GOLDEN = fileURLToPath(new URL("../../golden/tensors", import.meta.url));
const folder = temporaryFolder();
const opened: TensorFile[] = [];
afterAll(async () => {
  for (const file of opened) await file.close();
});

async function open(path: string): Promise<TensorFile> {
  const file = await openTensorFile(path);
  opened.push(file);
  return file;
}

async function tensorOf(path: string, name: string | null = null): Promise<Tensor> {
  return (await open(path)).tensor(name);
}

function golden(name: string): string {
  return join(GOLDEN, name);
}

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error("no error"),
    (cause: Error) => cause,
  );
  expect(error.name).toBe("CalibrantError");
  return error.message.replaceAll(folder, "").replaceAll(GOLDEN, "");
}

const FLOATS = [0.5, -1, 2.25, 65504, Number.NEGATIVE_INFINITY, Number.NaN];
const HALVES = [0x3800, 0xbc00, 0x4080, 0x7bff, 0xfc00, 0x7e00];
const BFLOATS = [0x3f00, 0xbf80, 0x4010, 0x4780, 0xff80, 0x7fc0];

describe("npy", () => {
  it.each(["f4", "f4-version-3", "f8-version-2"])("reads floats of %s", async (name) => {
    const tensor = await tensorOf(golden(`${name}.npy`));
    expect([tensor.shape, tensor.storage]).toEqual([[2, 3], "float32"]);
    const all = new Float32Array(6);
    await tensor.readFloats(0, all);
    expect([...all]).toEqual(FLOATS);
    const part = new Float32Array(2);
    await tensor.readFloats(3, part);
    expect([...part]).toEqual([65504, Number.NEGATIVE_INFINITY]);
  });

  it("reads float16 as patterns", async () => {
    const tensor = await tensorOf(golden("f2.npy"));
    const all = new Uint16Array(6);
    await tensor.readFloats(0, all);
    expect([tensor.storage, ...all]).toEqual(["float16", ...HALVES]);
    expect(await messageOf(tensor.readFloats(0, new Float32Array(6)))).toContain("float16");
  });

  it.each([
    ["i1", -100, 127],
    ["i2", -100, 32767],
    ["i4", -100, 2 ** 31 - 1],
    ["i8", -100, 2 ** 31 - 1],
    ["u1", 3, 255],
    ["u2", 3, 65535],
    ["u4", 3, 2 ** 31 - 1],
    ["u8", 3, 2 ** 31 - 1],
  ])("reads integers of %s", async (name, third, most) => {
    const all = new Int32Array(6);
    await (await tensorOf(golden(`${name}.npy`))).readIntegers(0, all);
    expect([...all]).toEqual([0, 1, 2, third, 7, most]);
  });

  it("reads a number without axes and an array without numbers", async () => {
    const one = new Float32Array(1);
    const scalar = await tensorOf(golden("scalar.npy"));
    await scalar.readFloats(0, one);
    expect([scalar.shape, one[0]]).toEqual([[], 1.5]);
    const empty = await tensorOf(golden("empty.npy"));
    await empty.readFloats(0, new Float32Array(0));
    expect(empty.shape).toEqual([0, 3]);
  });

  it("refuses what cannot be read, in one line each", async () => {
    expect(await messageOf(open(golden("fortran.npy")))).toBe(
      "/fortran.npy: its numbers are in Fortran order; save np.ascontiguousarray(array), shape (2, 3)",
    );
    expect(await messageOf(open(golden("big-endian.npy")))).toContain("big-endian");
    expect(await messageOf(open(golden("text.npy")))).toContain("its type cannot be read");
    expect(await messageOf(open(golden("structured.npy")))).toContain("got a structured type");
    const large = await tensorOf(golden("i8-too-large.npy"));
    expect(await messageOf(large.readIntegers(0, new Int32Array(2)))).toBe(
      "/i8-too-large.npy: number 1 of shape (2,) must lie in int32, got 2147483648",
    );
    const flags = await tensorOf(golden("bool.npy"));
    expect(await messageOf(flags.readIntegers(0, new Int32Array(2)))).toContain("got bool");
    const floats = await tensorOf(golden("f4.npy"));
    expect(await messageOf(floats.readIntegers(0, new Int32Array(1)))).toContain(
      "must hold integers, got float32",
    );
    expect(await messageOf(floats.readFloats(5, new Float32Array(2)))).toContain("has 6 numbers");
    expect(await messageOf(floats.readFloats(0, new Uint16Array(2)))).toContain("got float32");
  });

  it("refuses files that are cut short, too long or damaged", async () => {
    const whole = readFileSync(golden("f4.npy"));
    for (let length = 1; length < whole.length; length += 9)
      expect(await messageOf(open(file("cut.npy", whole.subarray(0, length))))).toMatch(/cut short|neither/);
    expect(await messageOf(open(file("long.npy", Buffer.concat([whole, whole]))))).toContain(
      "bytes follow the array: float32 of shape (2, 3) takes 24 bytes, got 176",
    );
    expect(await messageOf(open(file("v9.npy", whole.fill(9, 6, 7))))).toContain("versions 1 to 3, got 9");
    const bare = npyBytes("<f4", [2], new Float32Array(2));
    expect(await messageOf(open(file("bare.npy", Buffer.from(bare).fill(32, 12, 20))))).toContain("damaged");
    const bfloat = npyBytes("<V2", [2], new Uint16Array(2));
    expect(await messageOf(open(file("bfloat.npy", bfloat)))).toContain("save as .safetensors");
  });

  it("has no name", async () => {
    expect((await open(golden("f4.npy"))).names).toEqual([""]);
    expect(await messageOf(tensorOf(golden("f4.npy"), "logits"))).toContain("leave out :logits");
  });
});

describe("safetensors", () => {
  it("reads every type that the reference library writes", async () => {
    const types = await open(golden("types.safetensors"));
    const shapes = (await types.describe()).map(({ name, shape }) => [name, ...shape].join(" "));
    expect(shapes.sort()).toEqual(
      [
        "bf16 2 3",
        "f16 2 3",
        "f32 2 3",
        "f64 2 3",
        "f8 3",
        "flags 1",
        "i32 2 3",
        "i64 2 3",
        "none 0 4",
      ].sort(),
    );
    for (const name of ["f32", "f64"]) {
      const all = new Float32Array(6);
      await (await types.tensor(name)).readFloats(0, all);
      expect([...all]).toEqual(FLOATS);
    }
    for (const [name, patterns] of [
      ["f16", HALVES],
      ["bf16", BFLOATS],
    ] as const) {
      const all = new Uint16Array(6);
      await (await types.tensor(name)).readFloats(0, all);
      expect([...all]).toEqual(patterns);
    }
    for (const name of ["i32", "i64"]) {
      const all = new Int32Array(6);
      await (await types.tensor(name)).readIntegers(0, all);
      expect([...all]).toEqual([0, 1, 2, -100, 7, 2 ** 31 - 1]);
    }
    expect(await messageOf(types.tensor("f8"))).toBe(
      "/types.safetensors:f8: numbers of this type cannot be read: F8_E4M3",
    );
  });

  it("names the tensors that are there", async () => {
    const types = await open(golden("types.safetensors"));
    expect(await messageOf(types.tensor("f3"))).toContain("has no tensor f3: did you mean f32?");
    expect(await messageOf(types.tensor("lm_head.weight"))).toContain("has no tensor lm_head.weight: it has");
    expect(await messageOf(types.tensor(null))).toContain("holds 9 tensors: add a colon and one of");
    const one = file("one.safetensors", safetensorsBytes({ a: f32(2) }));
    expect((await tensorOf(one)).label).toBe(one);
  });

  it("allows gaps and numbers at odd places", async () => {
    const bytes = safetensorsBytes({ odd: u8(1), a: f32(2) });
    const text = await open(file("odd.safetensors", bytes));
    const all = new Float32Array(2);
    await (await text.tensor("a")).readFloats(0, all);
    expect([...all]).toEqual([0, 1]);
    const gap = safetensorsBytes({ a: f32(1), hole: u8(3), b: f32(1) }, ({ hole: _, ...rest }) => rest);
    expect((await open(file("gap.safetensors", gap))).names).toEqual(["a", "b"]);
  });

  it.each([
    ["overlap", { b: { dtype: "F32", shape: [2], data_offsets: [4, 12] } }, "a and b overlap at byte"],
    ["outside", { b: { dtype: "F32", shape: [2], data_offsets: [12, 20] } }, "the tensor b ends at byte"],
    ["size", { b: { dtype: "F32", shape: [3], data_offsets: [8, 16] } }, "F32 of shape (3,), takes 12 bytes"],
    ["backwards", { b: { dtype: "X", shape: [0], data_offsets: [16, 8] } }, "got data_offsets 16 to 8"],
    ["negative", { b: { dtype: "F32", shape: [-2], data_offsets: [8, 16] } }, "has no dtype, shape and"],
    ["huge", { b: { dtype: "F32", shape: [2 ** 52, 2 ** 52], data_offsets: [8, 16] } }, "has no dtype"],
    ["bare", { b: null }, "has no dtype, shape and data_offsets: null"],
  ])("refuses a header with %s", async (name, change, message) => {
    const bytes = safetensorsBytes({ a: f32(2), b: f32(2) }, (header) => ({ ...header, ...change }));
    expect(await messageOf(open(file(`${name}.safetensors`, bytes)))).toContain(message);
  });

  it("refuses files that are cut short or none", async () => {
    const whole = safetensorsBytes({ a: f32(64) });
    for (let length = 1; length < whole.length; length += 17)
      expect(await messageOf(open(file("cut.safetensors", whole.subarray(0, length))))).toMatch(
        /too few|cut short/,
      );
    const long = Buffer.from(whole).fill(255, 0, 8);
    expect(await messageOf(open(file("long.safetensors", long)))).toContain("100000000 bytes at most");
    expect(
      await messageOf(
        open(
          file(
            "list.safetensors",
            safetensorsBytes({}, () => []),
          ),
        ),
      ),
    ).toContain("no JSON object");
    const broken = Buffer.from(whole);
    broken[9] = 1;
    expect(await messageOf(open(file("broken.safetensors", broken)))).toContain("no JSON");
    expect(await messageOf(open(file("empty.npy", "")))).toBe("/empty.npy: the file is empty");
    expect(await messageOf(open(file("text.bin", "hello, this is text")))).toContain(
      "neither .npy nor .safetensors",
    );
    expect(await messageOf(open(file("a.npz", "PK\x03\x04.................")))).toContain("zip archive");
    expect(await messageOf(open(file("a.pt", Buffer.from([0x80, 2, 0x8a, 0x0a]))))).toContain("a pickle");
    expect(await messageOf(open(join(folder, "nowhere.npy")))).toContain("cannot read");
  });

  it("says when a file becomes shorter while it is read", async () => {
    const path = file("shrinks.safetensors", safetensorsBytes({ a: f32(64) }));
    const tensor = await tensorOf(path);
    truncateSync(path, 100);
    expect(await messageOf(tensor.readFloats(0, new Float32Array(64)))).toContain("became shorter");
  });
});

describe("the index of a sharded model", () => {
  it("opens the shard that has the tensor", async () => {
    file("m-1.safetensors", safetensorsBytes({ a: f32(2) }));
    file("m-2.safetensors", safetensorsBytes({ b: f32(3) }));
    const index = await open(
      file("m.json", JSON.stringify({ weight_map: { a: "m-1.safetensors", b: "m-2.safetensors" } })),
    );
    const all = new Float32Array(3);
    await (await index.tensor("b")).readFloats(0, all);
    expect([...all]).toEqual([0, 1, 2]);
    expect((await index.describe()).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await messageOf(index.tensor("c"))).toContain("has no tensor c");
  });

  it("is refused when it is none", async () => {
    expect(await messageOf(open(file("x.json", "{}")))).toContain("needs a weight_map");
    expect(await messageOf(open(file("y.json", "{")))).toContain("neither tensors nor a readable index");
    const gone = await open(file("z.json", JSON.stringify({ weight_map: { a: "gone.safetensors" } })));
    expect(await messageOf(gone.tensor("a"))).toContain("cannot read");
  });
});

function f32(length: number): { dtype: string; shape: number[]; data: Float32Array } {
  return { dtype: "F32", shape: [length], data: Float32Array.from({ length }, (_, i) => i) };
}

function u8(length: number): { dtype: string; shape: number[]; data: Uint8Array } {
  return { dtype: "U8", shape: [length], data: new Uint8Array(length) };
}
