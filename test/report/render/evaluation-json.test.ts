import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import {
  evaluationJson,
  evaluationJsonSchema,
  parseEvaluation,
} from "../../../src/report/render/evaluation-json.ts";
import { degenerateEvaluations, sampleEvaluation } from "../sample-evaluation.ts";

const schemaFile = new URL("../../../docs/evaluation.schema.json", import.meta.url);
const samples: readonly (readonly [string, Evaluation])[] = [
  ["sample", sampleEvaluation()],
  ...Object.entries(degenerateEvaluations()),
];

describe("evaluationJson", () => {
  it.each(samples)("%s comes back the same", async (_name, evaluation) => {
    const text = evaluationJson(evaluation);
    const back = await parseEvaluation(text);
    expect(back).toEqual(evaluation);
    expect(evaluationJson(back)).toBe(text);
  });

  it("writes NaN and infinities as strings and keeps every digit", () => {
    const evaluation = sampleEvaluation();
    const odd = {
      value: 0.1 + 0.2,
      low: Number.NEGATIVE_INFINITY,
      high: Number.POSITIVE_INFINITY,
      reason: null,
    };
    const nan = { value: Number.NaN, low: Number.NaN, high: Number.NaN, reason: "empty" };
    const metrics = { ...evaluation.overall.metrics, nll: odd, reward: nan };
    const text = evaluationJson({ ...evaluation, overall: { ...evaluation.overall, metrics } });
    expect(text).toContain(
      '"nll":{"value":0.30000000000000004,"low":"-Infinity","high":"Infinity","reason":null}',
    );
    expect(text).toContain('"reward":{"value":"NaN","low":"NaN","high":"NaN","reason":"empty"}');
    expect(text.endsWith("}\n")).toBe(true);
  });

  it("does not depend on the order in which properties were set", () => {
    const evaluation = sampleEvaluation();
    expect(evaluationJson(backwards(evaluation) as Evaluation)).toBe(evaluationJson(evaluation));
  });

  it("indents on request", () => {
    expect(evaluationJson(sampleEvaluation(), { space: 2 }).split("\n")[1]).toBe(
      '  "schema": "calibrant/evaluation@1",',
    );
  });
});

/** A copy with the properties of every object in reverse order, but for the slicing keys: their order has a meaning. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, name === "key" ? inner : backwards(inner)]),
  );
}

type Path = readonly (string | number)[];

/** The JSON text with the value at the path replaced. */
function withValue(text: string, path: Path, value: unknown): string {
  const json: unknown = JSON.parse(text);
  let parent = json as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
  parent[path.at(-1) as string | number] = value;
  return JSON.stringify(json);
}

describe("parseEvaluation", () => {
  const text = evaluationJson(sampleEvaluation());
  const refusal = async (path: Path, value: unknown): Promise<string> => {
    const error: unknown = await parseEvaluation(withValue(text, path, value)).catch((caught) => caught);
    expect(error).toBeInstanceOf(CalibrantError);
    return (error as CalibrantError).message;
  };

  it("turns strings into numbers only where numbers belong", async () => {
    const spec = { data: { values: [{ label: "NaN" }] } };
    const plot = { id: "iou-0", kind: "distributions", title: "t", description: "d", slice: null, spec };
    let odd = withValue(text, ["title"], "NaN");
    odd = withValue(odd, ["slices", 0, "label"], "Infinity");
    odd = withValue(odd, ["slices", 0, "key"], { checkpoint: "-Infinity" });
    odd = withValue(odd, ["plots"], [plot]);
    const back = await parseEvaluation(odd);
    expect(back.title).toBe("NaN");
    expect(back.slices[0]?.label).toBe("Infinity");
    expect(back.slices[0]?.key).toEqual({ checkpoint: "-Infinity" });
    expect(back.plots[0]?.spec).toEqual(spec);
  });

  it("drops properties that it does not know", async () => {
    const more = withValue(withValue(text, ["extra"], 1), ["overall", "extra"], 1);
    expect(evaluationJson(await parseEvaluation(more))).toBe(text);
  });

  it("refuses another version, another schema and no schema", async () => {
    expect(await refusal(["schema"], "calibrant/evaluation@2")).toBe(
      'evaluation.schema must be "calibrant/evaluation@1" (read it with the version of calibrant that wrote it, or make the report again), got "calibrant/evaluation@2"',
    );
    await expect(parseEvaluation("[]")).rejects.toThrow(/evaluation\.schema must be .*, got nothing$/);
    await expect(parseEvaluation("null")).rejects.toThrow(/got nothing$/);
  });

  it("refuses text that is not JSON", async () => {
    await expect(parseEvaluation("<html>")).rejects.toThrow('evaluation must be JSON text, got "<html>"');
  });

  it("names the first value that does not fit", async () => {
    expect(await refusal(["slices", 2, "metrics", "iou", "low"], "nan")).toBe(
      'evaluation.slices[2].metrics.iou.low must be a number, "NaN", "Infinity" or "-Infinity", got "nan"',
    );
    expect(await refusal(["overall", "histogram", "wrong"], [1])).toMatch(
      /^evaluation\.overall\.histogram must have arrays of one length, got \{/,
    );
    expect(await refusal(["overall", "reliability", "bandHigh"], [1])).toMatch(
      /^evaluation\.overall\.reliability must have one value a bin, got \{/,
    );
    expect(await refusal(["overall", "metrics", "iou"], undefined)).toMatch(
      /^evaluation\.overall\.metrics\.iou is not valid \(.*\), got nothing$/,
    );
  });

  it("throws nothing but a CalibrantError, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (any) => {
        await expect(parseEvaluation(any)).rejects.toBeInstanceOf(CalibrantError);
      }),
      { numRuns: 50 },
    );
  });
});

describe("evaluationJsonSchema", () => {
  it("is the file of the documentation; UPDATE_SCHEMA=1 writes it", async () => {
    const schema = await evaluationJsonSchema();
    if (process.env.UPDATE_SCHEMA === "1") writeFileSync(schemaFile, `${JSON.stringify(schema, null, 2)}\n`);
    expect(JSON.parse(readFileSync(schemaFile, "utf8"))).toEqual(schema);
  });

  it("is of draft 2020-12 and asks for every property of the interface", async () => {
    const schema = await evaluationJsonSchema();
    const parts = schema.$defs as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(schema.required).toEqual(Object.keys(sampleEvaluation()));
    expect(parts.slice?.required).toEqual(Object.keys(sampleEvaluation().overall));
    expect(parts.number?.anyOf).toEqual([
      { type: "number" },
      { type: "string", enum: ["NaN", "Infinity", "-Infinity"] },
    ]);
  });
});
