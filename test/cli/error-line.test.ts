import { afterEach, expect, it, vi } from "vitest";
import { writeErrorLine } from "../../src/cli/error-line.ts";

afterEach(() => vi.restoreAllMocks());

it("writeErrorLine writes one line that cannot steer the terminal", () => {
  const written: unknown[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(text) > 0);
  writeErrorLine("größer als\n\u001b[31m1\u009b");
  expect(written).toEqual(["calibrant: größer als\\x0a\\x1b[31m1\\x9b\n"]);
});
