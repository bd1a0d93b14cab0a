import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli, SHARED, temporaryFolder } from "./run-cli.ts";
import { writeSampleFiles } from "./sample-files.ts";

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

beforeAll(() => writeSampleFiles(folder));

async function failure(file: string): Promise<string> {
  const result = await runCli(["score", file, "--quiet"]);
  expect(result.status).toBe(1);
  expect(result.stdout.toString()).toBe("");
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  return result.stderr.trimEnd();
}

/** Where the messages of an Arrow stream begin: after a continuation marker come a metadata length and a body. */
function messageStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf("ffffffff", 0, "hex"); at >= 0; at = bytes.indexOf("ffffffff", at + 4, "hex")) {
    if (at % 8 === 0) starts.push(at);
  }
  return starts;
}

describe("damaged files are one clear line", () => {
  it.each(["arrow", "arrows", "parquet"])("a truncated %s file", async (ending) => {
    const bytes = readFileSync(path(`sample.${ending}`));
    for (const share of [0.1, 0.5, 0.9]) {
      writeFileSync(path(`cut.${ending}`), bytes.subarray(0, Math.floor(bytes.length * share)));
      expect(await failure(path(`cut.${ending}`))).toContain(path(`cut.${ending}`));
    }
  });

  it("an Arrow stream that is cut between two batches, which reads as a shorter table elsewhere", async () => {
    const bytes = readFileSync(path("sample.arrows"));
    // The last message is the end marker, the one before it the last batch.
    const starts = messageStarts(bytes);
    writeFileSync(path("between.arrows"), bytes.subarray(0, starts.at(-2)));
    const line = await failure(path("between.arrows"));
    expect(line).toMatch(/cut off|end-of-stream/);
    expect(line).toContain("60 rows");
  });

  it("a file that only looks like its format", async () => {
    writeFileSync(path("not.parquet"), "PAR1 and nothing else that Parquet has PAR1");
    await failure(path("not.parquet"));
    writeFileSync(path("not.arrow"), "ARROW1 and nothing else");
    await failure(path("not.arrow"));
    writeFileSync(path("not.jsonl"), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
    expect(await failure(path("not.jsonl"))).toContain("gzip");
  });

  const huge = join(SHARED, "data/parquet_testing/large_string_map.brotli.parquet");
  it.skipIf(!existsSync(huge))("a 4 KB Parquet file that declares a 2 GB column", async () => {
    const line = await failure(huge);
    expect(line).toContain("missing column group_id");
    const asJson = await runCli(["score", huge, "--quiet", "-o", path("huge.jsonl"), "-r", "1 + 1"]);
    expect(asJson.status).toBe(1);
    expect(asJson.stderr.trimEnd().split("\n")).toHaveLength(1);
    const spliced = await runCli(["score", huge, "--quiet", "-o", path("huge.parquet"), "-r", "1 + 1"]);
    expect(spliced.status, spliced.stderr).toBe(0);
  });
});
