import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bfloat16Values, decodeHalf, float16Values } from "../../../src/uq/logprobs/half-floats.ts";

interface Golden {
  readonly nan: number;
  readonly sha256: string;
  readonly samples: readonly (readonly [number, number])[];
}

const golden: Readonly<Record<"float16" | "bfloat16", Golden>> = JSON.parse(
  readFileSync(new URL("../../golden/half-floats.json", import.meta.url), "utf8"),
);

describe.each([
  ["float16", float16Values],
  ["bfloat16", bfloat16Values],
] as const)("%s patterns", (type, table) => {
  it("have numpy's values, all 65,536", () => {
    const values = table();
    const filled = values.map((value) => (Number.isNaN(value) ? 1e300 : value));
    const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
    expect(values.filter(Number.isNaN).length).toBe(golden[type].nan);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(golden[type].sha256);
  });

  it.each(golden[type].samples)("%d", (bits, value) => {
    expect(decodeHalf(bits, type)).toBe(value);
  });

  it("keep the sign of zero and both infinities", () => {
    const infinity = type === "float16" ? 0x7c00 : 0x7f80;
    expect([0x8000, infinity, infinity | 0x8000].map((bits) => decodeHalf(bits, type))).toEqual([
      -0,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  });
});
