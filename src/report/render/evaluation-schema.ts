import type { z as Zod, ZodType } from "zod";
import { EVALUATION_SCHEMA, type Evaluation } from "../evaluation.ts";
import { METRIC_NAMES } from "../metric-info.ts";

/**
 * The zod schema of the JSON text of an {@link Evaluation}. Its input is what `JSON.parse` gives (NaN and infinities as
 * strings), its output the evaluation. Unknown properties are dropped.
 *
 * The interfaces in `evaluation.ts` are the contract; this schema does not compile when it differs from them.
 */
export async function evaluationSchema(): Promise<ZodType<Evaluation>> {
  const { z } = await import("zod");
  const parts = sliceParts(z);
  const slice = sliceSchema(z, parts);
  const schema = z
    .object({
      schema: z.literal(EVALUATION_SCHEMA),
      version: z.string().describe("Version of the package that computed it"),
      title: z.string(),
      command: z.string().nullable().describe("The command that makes this report again"),
      inputs: z.array(z.string()),
      seed: z.number().int(),
      resamples: z.number().int().min(0).describe("Bootstrap resamples behind the intervals"),
      permutations: z.number().int().min(0).describe("Label permutations behind the null of the IoU"),
      level: z.number().gt(0).lt(1).describe("Confidence level of all intervals"),
      columns: columnsSchema(z),
      iou: iouSchema(z, parts.numbers),
      overall: slice.describe("All rows together"),
      slices: z.array(slice).describe("One a combination of the slicing keys; empty without slicing"),
      comparisons: z.array(comparisonSchema(z, parts.number)),
      notes: z.array(z.string()),
      plots: z.array(plotSchema(z)),
    })
    .meta({ title: "Calibration report", description: `A calibration report, ${EVALUATION_SCHEMA}` });
  return schema satisfies Agrees<typeof schema>;
}

type Frozen<T> = { readonly [K in keyof T]: Frozen<T[K]> };
/** The schema itself when every evaluation is a value of it, else never. */
type Agrees<S extends ZodType> = Frozen<Evaluation> extends Frozen<Zod.output<S>> ? S : never;

// The schemas below have types that zod infers; they are not exported, so that none of it is public.
type Z = typeof Zod;

function sliceParts(z: Z) {
  const number = z
    .union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])])
    .transform(Number)
    .meta({ id: "number", description: 'A number; NaN and infinities are "NaN", "Infinity", "-Infinity"' });
  const numbers = z.array(number).meta({ id: "numbers" });
  const estimate = z
    .object({
      value: number,
      low: number.describe("Lower end of the interval at the report's level; NaN where there is none"),
      high: number,
      reason: z.string().nullable().describe("Why the value is NaN; null when it is a number"),
    })
    .meta({ id: "estimate" });
  return { number, numbers, estimate };
}

function sliceSchema(z: Z, { number, numbers, estimate }: ReturnType<typeof sliceParts>) {
  return z
    .object({
      label: z.string(),
      key: z.record(z.string(), z.string()).describe("Slicing column: value; empty for the whole"),
      rows: number.describe("All rows of the slice, used or not"),
      correct: number,
      wrong: number,
      clusters: number.describe("Independent units that were resampled: prompts, or rows"),
      excluded: z.record(z.string(), number).describe("Rows that are not used, by reason"),
      metrics: z.record(z.enum(METRIC_NAMES), estimate),
      histogram: histogramSchema(z, number, numbers),
      iouNull: z.object({ mean: number, pValue: number }),
      reliability: reliabilitySchema(z, number, numbers),
      riskCurve: z
        .object({ coverage: numbers, risk: numbers })
        .refine(({ coverage, risk }) => coverage.length === risk.length, "must have arrays of one length"),
      certaintyMargin: certaintyMarginSchema(z, numbers).nullable(),
      flags: z.array(z.object({ code: z.string(), text: z.string() })),
    })
    .meta({ id: "slice" });
}

type NumberSchema = ReturnType<typeof sliceParts>["number"];
type NumbersSchema = ReturnType<typeof sliceParts>["numbers"];

function histogramSchema(z: Z, number: NumberSchema, numbers: NumbersSchema) {
  return z
    .object({
      correct: numbers.describe("Rows in each bin of iou.edges"),
      wrong: numbers,
      infinite: z.object({ correct: number, wrong: number }),
    })
    .refine(({ correct, wrong }) => correct.length === wrong.length, "must have arrays of one length");
}

function reliabilitySchema(z: Z, number: NumberSchema, numbers: NumbersSchema) {
  return z
    .object({
      edges: numbers.describe("Bin edges in [0, 1]"),
      count: numbers,
      confidence: numbers.describe("Mean confidence in each bin"),
      accuracy: numbers.describe("Share of correct rows in each bin"),
      bandLow: numbers,
      bandHigh: numbers,
      nullMean: number.describe("The ECE that exact confidences would show at these counts"),
    })
    .refine(
      ({ edges, ...bins }) => oneABin(edges, [bins.count, bins.confidence, bins.accuracy, bins.bandLow]),
      "must have one value a bin",
    )
    .refine(({ bandLow, bandHigh }) => bandLow.length === bandHigh.length, "must have one value a bin");
}

function certaintyMarginSchema(z: Z, numbers: NumbersSchema) {
  return z
    .object({ edges: numbers, correct: numbers, wrong: numbers, certainty: numbers })
    .refine(
      ({ edges, correct, wrong, certainty }) => oneABin(edges, [correct, wrong, certainty]),
      "must have one value a bin",
    );
}

function oneABin(edges: readonly number[], columns: readonly (readonly number[])[]): boolean {
  const bins = Math.max(0, edges.length - 1);
  return columns.every((column) => column.length === bins);
}

function comparisonSchema(z: Z, number: NumberSchema) {
  const delta = z
    .object({
      baseline: number,
      candidate: number,
      value: number.describe("candidate - baseline"),
      low: number,
      high: number,
      verdict: z.enum(["beyond noise", "not beyond noise", "undetermined"]),
      sentence: z.string(),
    })
    .meta({ id: "delta" });
  return z.object({
    baseline: z.string(),
    candidate: z.string(),
    paired: z.boolean().describe("The same prompts were resampled for both sides"),
    prompts: z.object({ shared: number, baselineOnly: number, candidateOnly: number }),
    deltas: z.partialRecord(z.enum(METRIC_NAMES), delta),
  });
}

function columnsSchema(z: Z) {
  return z.object({
    uncertainty: z.string(),
    correct: z.string(),
    confidence: z.string(),
    cluster: z.string().nullable().describe("Rows that share its value are resampled together"),
    weight: z.string().nullable(),
    by: z.array(z.string()),
    also: z.array(z.string()),
  });
}

function iouSchema(z: Z, numbers: NumbersSchema) {
  return z.object({
    scale: z.enum(["log", "identity"]),
    method: z.enum(["histogram", "ks", "kde"]),
    normalize: z.enum(["density", "count"]),
    edges: numbers.describe("Shared bin edges on the axis (ln PPL in nats on the log scale)"),
    edgesFrom: z.string().describe("How the edges were chosen"),
  });
}

function plotSchema(z: Z) {
  return z.object({
    id: z.string(),
    kind: z.enum(["distributions", "reliability", "risk-coverage", "certainty-margin", "trend", "overview"]),
    title: z.string(),
    description: z.string(),
    slice: z.string().nullable(),
    spec: z.record(z.string(), z.unknown()).describe("Vega-Lite specification"),
  });
}
