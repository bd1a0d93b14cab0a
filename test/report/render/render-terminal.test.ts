import { describe, expect, it } from "vitest";
import { renderTerminal } from "../../../src/report/render/render-terminal.ts";
import { displayWidth, padded, plainLine, shortened } from "../../../src/report/render/terminal-text.ts";
import { hostileEvaluation } from "../hostile-evaluation.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";

const samples = [["sample", sampleEvaluation()], ...Object.entries(degenerateEvaluations())] as const;

describe("renderTerminal", () => {
  it("is compact and aligned", () => {
    expect(renderTerminal(sampleEvaluation()).split("\n")).toEqual([
      "Does this policy know when it is wrong? Beyond chance in all 3 slices: calibration IoU from 0.334 (base) to 0.699 (decision-only GRPO).",
      "6,000 rows used (4,280 correct, 1,720 wrong) from 750 prompts; not used: 15 uncertainty missing, 1 gold missing.",
      "",
      "slice                   n  accuracy                   IoU  if same  AUROC    ECE  if exact  reward",
      "base                2,000     0.620  0.334 [0.313, 0.354]    0.942  0.830  0.155     0.018   0.840",
      "decision-only GRPO  2,000     0.740  0.699 [0.679, 0.719]    0.930  0.625  0.091     0.018   1.080",
      "TRUST               2,000     0.780  0.350 [0.330, 0.370]    0.924  0.819  0.099     0.018   1.160",
      "all rows            6,000     0.713  0.467 [0.456, 0.479]    0.961  0.746  0.068     0.010   1.027",
      "",
      "decision-only GRPO separates wrong from correct worse than base, beyond noise (ΔIoU +0.366 [0.321, 0.411]).",
      "TRUST against base: no difference beyond noise (ΔIoU +0.016 [−0.029, 0.061]).",
      "",
    ]);
  });

  it.each(samples)("%s: a line a slice, no bare NaN", (_name, given) => {
    const text = renderTerminal(given);
    expect(text).not.toMatch(/NaN|undefined|\[object|Infinity/);
    expect(text.split("\n").length).toBeGreaterThan(given.slices.length + 4);
  });

  it("leaves the terminal alone, whatever the labels", () => {
    const text = renderTerminal(hostileEvaluation());
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    const rows = text.split("\n").slice(4, 12);
    const places = rows.map((row) => displayWidth(row.slice(0, row.search(/[26],000/))));
    expect(new Set(places).size).toBe(1);
  });

  it("measures, fills and shortens by columns", () => {
    expect(["abc", "数据", "👩🏽‍🔬", "e\u0301", ""].map(displayWidth)).toEqual([3, 4, 2, 1, 0]);
    expect(padded("数", 4, true)).toBe("数  ");
    expect(padded("数", 4, false)).toBe("  数");
    expect(shortened("数据数据", 5)).toBe("数据…");
    expect(shortened("abcde", 5)).toBe("abcde");
    expect(plainLine("a\tb\u001b[2J\u202ec")).toBe("a b\ufffd[2J\ufffdc");
  });
});
