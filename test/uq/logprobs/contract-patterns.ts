import { describe, it } from "vitest";
import type { LogitType } from "../../../src/uq/logprobs/log-prob-backend.ts";
import type { Contract } from "./contract.ts";
import { expectColumns } from "./expect-columns.ts";
import { bfloat16Value, float16Value, scoreOracle } from "./oracle.ts";

const HALVES: readonly LogitType[] = ["float16", "bfloat16"];

/** All 65,536 patterns of both 16-bit types, as data. */
export function describePatterns({ backend, tolerance }: Contract): void {
  describe("every 16-bit pattern", () => {
    it.each(HALVES)("%s, each in a row with 0", async (type) => {
      const data = new Uint16Array(2 * 65536);
      const targets = new Int32Array(65536);
      for (let bits = 0; bits < 65536; bits++) {
        data[2 * bits] = bits;
        // The less likely of the two tells the value.
        targets[bits] = bits < 0x8000 ? 1 : 0;
      }
      const block = { data, type, rows: 65536, vocab: 2 };
      const want = { entropy: true, rank: true, argmax: true };
      const columns = await backend().score(block, targets, want);
      expectColumns(columns, scoreOracle(block, targets, want), want, tolerance);
    });

    it.each(HALVES)("%s, 1,024 in a row", async (type) => {
      const data = Uint16Array.from({ length: 65536 }, (_pattern, bits) => bits);
      const value = type === "float16" ? float16Value : bfloat16Value;
      for (let row = 0; row < 64; row++) {
        const target = (row * 401) % 1024;
        const greatest = Math.max(...Array.from(data.subarray(row * 1024, row * 1024 + 1024), size));
        function size(bits: number): number {
          return Number.isFinite(value(bits)) ? Math.abs(value(bits)) : 0;
        }
        // At this temperature all patterns of the row are about equally likely, so that each counts.
        const temperature = greatest === 0 ? 1 : greatest / 8;
        const block = { data, type, rows: 1, vocab: 1024, offset: row * 1024, temperature };
        const want = { entropy: true, rank: true, argmax: true, topK: 1024 };
        const targets = Int32Array.of(target);
        const columns = await backend().score(block, targets, want);
        expectColumns(columns, scoreOracle(block, targets, want), want, tolerance);
      }
    });
  });
}
