import { describe, expect, it } from "vitest";
import { buildPlots } from "../../../src/report/plots/build-plots.ts";
import { codeSpan, escapeMarkdown, fenced, linkTarget } from "../../../src/report/render/markdown-text.ts";
import { renderMarkdown } from "../../../src/report/render/render-markdown.ts";
import { hostileEvaluation } from "../hostile-evaluation.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";

const samples = [["sample", sampleEvaluation()], ...Object.entries(degenerateEvaluations())] as const;

describe("renderMarkdown", () => {
  const text = renderMarkdown(sampleEvaluation());

  it("answers first", () => {
    expect(text.split("\n").slice(0, 8)).toEqual([
      "# Calibration report",
      "",
      "## Does this policy know when it is wrong?",
      "",
      "**Beyond chance in all 3 slices: calibration IoU from 0.334 (base) to 0.699 (decision-only GRPO).**",
      "",
      "- **decision-only GRPO** separates wrong from correct worse than **base**, beyond noise (ΔIoU +0.366 \\[0.321, 0.411\\]).",
      "- **TRUST** against **base**: no difference beyond noise (ΔIoU +0.016 \\[−0.029, 0.061\\]).",
    ]);
  });

  it("has tables of numbers with intervals", () => {
    expect(text).toContain(
      "| checkpoint | Calibration IoU | IoU if identical | p (IoU) | Overlap | AUROC | Average precision |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    expect(text).toMatch(/\n\| base \| 0\.334 \\\[0\.313, 0\.354\\\] \| 0\.942 \| 0\.005 \|/);
    expect(text).toContain("```sh\ncalibrant report scored.parquet --by checkpoint -o report.html\n```");
  });

  it("links to pictures where there are files", () => {
    const evaluation = sampleEvaluation();
    const plots = buildPlots(evaluation);
    const [first] = plots;
    if (first === undefined) throw new Error("the sample has no plots");
    const linked = renderMarkdown(
      { ...evaluation, plots },
      { plotFiles: new Map([[first.id, "plots/one (1).png"]]) },
    );
    expect(linked).toContain(`](plots/one%20%281%29.png)`);
    expect(linked.match(/!\[/g)).toHaveLength(1);
  });

  it.each([...samples, ["hostile", hostileEvaluation()] as const])(
    "%s: tables of equal rows, no bare NaN",
    (_name, given) => {
      const markdown = renderMarkdown(given);
      expect(markdown).not.toMatch(/NaN|undefined|\[object|Infinity/);
      const tables = markdown
        .trimEnd()
        .split("\n\n")
        .filter((block) => block.startsWith("| "));
      for (const table of tables) {
        const counts = table.split("\n").map((row) => row.replace(/\\./g, "").split("|").length);
        expect(new Set(counts).size, table).toBe(1);
      }
    },
  );

  it("escapes what has a meaning to Markdown, tables and HTML", () => {
    expect(escapeMarkdown("a|b *c* `d` <e> [f](g) & \\ \n# h")).toBe(
      "a\\|b \\*c\\* \\`d\\` \\<e\\> \\[f\\](g) &amp; \\\\  \\# h",
    );
    expect([escapeMarkdown("1. x"), escapeMarkdown("- x"), escapeMarkdown("0.5")]).toEqual([
      "1\\. x",
      "\\- x",
      "0.5",
    ]);
    expect(codeSpan("a`b|c")).toBe("`` a`b\\|c ``");
    expect(fenced("a ``` b")).toBe("````sh\na ``` b\n````");
    expect(linkTarget("a b(1)?.png")).toBe("a%20b%281%29%3f.png");
  });
});
