import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { logFactorial } from "../../src/math/log-factorial.ts";

const golden = JSON.parse(readFileSync(new URL("../golden/discrete-pmf.json", import.meta.url), "utf8")) as {
  readonly log_factorial: readonly (readonly [number, number])[];
};

it.each(golden.log_factorial)("ln %d! is %d", (n, expected) => {
  expect(Math.abs(logFactorial(n) - expected)).toBeLessThanOrEqual(4e-16 * Math.max(1, expected));
});
