import { afterEach, describe, expect, it, vi } from "vitest";
import {
  duckdbError,
  duckdbFile,
  duckdbName,
  hasDuckdb,
  openDuckdb,
} from "../../../src/data/parquet/duckdb-session.ts";
import { CalibrantError } from "../../../src/errors.ts";

afterEach(() => {
  vi.doUnmock("@duckdb/node-api");
});

describe("openDuckdb", () => {
  it("opens an engine that neither spills nor loads extensions", async () => {
    const session = await openDuckdb({ threads: 1, memoryLimit: "100MB" });
    const names = ["threads", "temp_directory", "autoinstall_known_extensions", "autoload_known_extensions"];
    const settings = names.map((name) => `current_setting('${name}')::varchar`);
    const read = await session.connection.runAndReadAll(`select ${settings.join(", ")}`);
    expect(read.getRows()).toEqual([["1", "", "false", "false"]]);
    await expect(
      session.connection.run("from read_parquet('https://example.invalid/x.parquet')"),
    ).rejects.toThrow(/httpfs/);
    session.close();
  });

  it("says how to install a package that is missing", async () => {
    expect(await hasDuckdb()).toBe(true);
    vi.doMock("@duckdb/node-api", () => {
      throw new Error("Cannot find package '@duckdb/node-api'");
    });
    expect(await hasDuckdb()).toBe(false);
    await expect(openDuckdb()).rejects.toMatchObject({
      code: "missing-package",
      message: expect.stringMatching(
        /^this needs the package @duckdb\/node-api: npm install @duckdb\/node-api /,
      ),
    });
  });
});

describe("duckdbFile and duckdbName", () => {
  it("quote whatever a name holds", () => {
    expect(duckdbFile("/a'b/[c]*?.parquet")).toBe("'/a''b/[[]c][*][?].parquet'");
    expect(duckdbFile("s3://bucket/x.parquet")).toBe("'./s3://bucket/x.parquet'");
    expect(duckdbFile("C:\\x.parquet")).toBe("'C:\\x.parquet'");
    expect(duckdbName('a"b')).toBe('"a""b"');
  });
});

describe("duckdbError", () => {
  it("keeps the engine's first line and passes a CalibrantError on", () => {
    const error = duckdbError(new Error("Invalid Error: bad page\n\nLINE 1: select"), "f");
    expect([error.code, error.message]).toEqual([
      "data",
      "f: DuckDB cannot read it: Invalid Error: bad page",
    ]);
    expect(duckdbError(new Error("Out of Memory Error: 2.0 GiB"), "f").message).toMatch(
      /smaller row groups or pages/,
    );
    const own = new CalibrantError("schema", "x");
    expect(duckdbError(own, "f")).toBe(own);
  });
});
