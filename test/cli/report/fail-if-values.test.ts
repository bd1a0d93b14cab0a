import { describe, expect, it } from "vitest";
import { FAIL_IF_VALUES } from "../../../src/cli/report/fail-if-values.ts";
import { METRIC_NAMES } from "../../../src/report/metric-info.ts";

describe("FAIL_IF_VALUES", () => {
  it("has every metric with the ends of its interval and its difference, each name once", () => {
    const names = [...FAIL_IF_VALUES.keys()];
    for (const metric of METRIC_NAMES) {
      const all = [metric, `delta_${metric}`].flatMap((name) => [name, `${name}_low`, `${name}_high`]);
      expect(names).toEqual(expect.arrayContaining(all));
    }
    expect(names).toHaveLength(6 * METRIC_NAMES.length + 6);
    expect(names.slice(0, METRIC_NAMES.length + 6)).toEqual([
      ...METRIC_NAMES,
      "iou_null",
      "ece_null",
      "p_value",
      "n",
      "rows",
      "excluded",
    ]);
  });
});
