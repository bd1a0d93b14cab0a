import { describe, expect, it } from "vitest";
import type { FoundColumn } from "../../../src/data/columns.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { evaluationSettings } from "../../../src/report/evaluate/evaluation-settings.ts";

const number = (name: string): FoundColumn => ({ name, type: "double", kinds: ["number"] });
const key = (name: string): FoundColumn => ({ name, type: "utf8", kinds: ["text", "key"] });

describe("evaluationSettings", () => {
  it("chooses columns by what every input has", () => {
    const scored = [number("ppl"), number("nll"), number("r_cls"), key("group_id"), key("checkpoint")];
    const settings = evaluationSettings([scored, scored.slice(1)], { by: ["checkpoint"] });
    expect(settings.uncertainty).toBe("nll");
    expect([settings.scale, settings.takeLog]).toEqual(["log", false]);
    expect(settings.correct).toEqual({ kind: "class-reward", right: 3 });
    const released = [...scored, number("r_align")];
    expect(evaluationSettings([released], {}).correct).toEqual({ kind: "class-reward", right: 2 });
    expect(settings.cluster).toBe("group_id");
    expect(settings.confidence).toEqual({ kind: "exp-nll" });
    expect(
      settings.needs.required.map((alternatives) => alternatives.map((request) => request.name)),
    ).toEqual([["nll"], ["r_cls"], ["checkpoint"], ["group_id"]]);
  });

  it("prefers correct to actions to the class reward", () => {
    const all = [number("ppl"), number("correct"), key("action"), key("gt_action"), number("r_cls")];
    expect(evaluationSettings([all], {}).correct).toEqual({ kind: "column", name: "correct" });
    expect(evaluationSettings([all.filter(({ name }) => name !== "correct")], {}).correct).toEqual({
      kind: "actions",
    });
  });

  it("asks for all that could serve when nothing does, so that the error names them", () => {
    const { needs } = evaluationSettings([[key("id")]], {});
    expect(needs.required.slice(0, 2).map((list) => list.map((request) => request.name))).toEqual([
      ["ppl", "nll"],
      ["correct", "action", "r_cls"],
    ]);
  });

  it("takes file as a pseudo-column only where no column has the name", () => {
    const plain = [number("ppl"), number("correct")];
    const names = (found: FoundColumn[]): string[] =>
      evaluationSettings([found], { by: ["file"] })
        .needs.required.flat()
        .map((request) => request.name);
    expect(names(plain)).not.toContain("file");
    expect(names([...plain, key("file")])).toContain("file");
  });

  it("needs a fitted confidence off the logarithmic axis", () => {
    const found = [[number("entropy"), number("correct")]];
    expect(evaluationSettings(found, { uncertainty: "entropy" }).confidence).toEqual({
      kind: "fitted",
      calibrator: "platt",
    });
    expect(() => evaluationSettings(found, { uncertainty: "entropy", confidence: "exp-nll" })).toThrow(
      /confidence exp-nll needs perplexities/,
    );
  });

  it.each([
    [{ level: 1 }, /level must be a number in \(0, 1\), got 1/],
    [{ bins: 0 }, /bins must be an integer from 1/],
    [{ edges: [2, 1] }, /edges must be two or more finite ascending numbers/],
    [{ edges: [1, 2], bins: 3 }, /bins must be left out where edges are given/],
    [{ by: ["a", "a"] }, /by must be each column once/],
    [{ baseline: { value: "x" } }, /baseline must be given together with a slicing column/],
    [
      { by: ["a"], baseline: { column: "b", value: "x" } },
      /baseline must be one of the slicing columns a, got b/,
    ],
    [{ resamples: -1 }, /resamples must be an integer/],
    [{ seed: 0.5 }, /seed must be an integer/],
  ])("refuses %j", (options, message) => {
    expect(() => evaluationSettings([[number("ppl"), number("correct")]], options)).toThrow(CalibrantError);
    expect(() => evaluationSettings([[number("ppl"), number("correct")]], options)).toThrow(message);
  });
});
