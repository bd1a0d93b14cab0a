import { afterEach, describe, expect, it, vi } from "vitest";
import { callParquetWasm, loadParquetWasm } from "../../../src/data/parquet/parquet-wasm-module.ts";
import { CalibrantError } from "../../../src/errors.ts";

afterEach(() => {
  vi.doUnmock("parquet-wasm");
});

describe("loadParquetWasm", () => {
  it("loads the package", async () => {
    expect((await loadParquetWasm()).readParquet).toBeTypeOf("function");
  });

  it("says how to install a package that is missing", async () => {
    vi.doMock("parquet-wasm", () => {
      throw new Error("Cannot find package 'parquet-wasm'");
    });
    const error: unknown = await loadParquetWasm().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CalibrantError);
    expect(error).toMatchObject({ code: "missing-package", details: { package: "parquet-wasm" } });
    expect((error as Error).message).toMatch(
      /^this needs the package parquet-wasm: npm install parquet-wasm /,
    );
  });
});

describe("callParquetWasm", () => {
  it("gives what the call gives", () => {
    expect(callParquetWasm("f", () => 7)).toBe(7);
  });

  it("turns errors and panics into one CalibrantError that begins with the subject", () => {
    const failing = (error: Error) => (): unknown =>
      callParquetWasm("f.parquet: bad", () => {
        throw error;
      });
    expect(failing(new Error("line one\n line two"))).toThrow(/^f\.parquet: bad: line one line two$/);
    const panic = Object.assign(new Error("unreachable"), { name: "RuntimeError" });
    expect(failing(panic)).toThrow(/^f\.parquet: bad: out of memory or malformed data$/);
    expect(failing(panic)).toThrow(CalibrantError);
  });
});
