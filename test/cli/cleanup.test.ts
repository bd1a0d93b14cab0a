import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCleanup } from "../../src/cli/cleanup.ts";
import { temporaryFolder } from "../e2e/run-cli.ts";

const folder = temporaryFolder();

describe("createCleanup", () => {
  it("removes files and empty folders, and does not mind what is gone", () => {
    const cleanup = createCleanup();
    const [made, kept] = [join(folder, "made"), join(folder, "kept")];
    mkdirSync(made);
    mkdirSync(kept);
    writeFileSync(join(made, "a.tmp"), "");
    writeFileSync(join(kept, "result"), "");
    cleanup.file(join(made, "a.tmp"));
    cleanup.file(join(folder, "gone.tmp"));
    cleanup.folder(made);
    cleanup.folder(kept);
    cleanup.folder(join(folder, "nowhere"));
    cleanup.run();
    cleanup.run();
    expect([existsSync(made), existsSync(kept), existsSync(join(kept, "result"))]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
