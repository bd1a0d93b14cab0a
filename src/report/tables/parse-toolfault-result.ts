import { z } from "zod";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { FAULT_TYPES } from "../../metrics/toolfault/labels.ts";
import { TOOLFAULT_METRICS, type ToolFaultResult } from "../../metrics/toolfault/tool-fault-result.ts";

const number = z.number().nullable();

const RATE = z.object({
  value: number,
  low: number,
  high: number,
  numerator: number,
  denominator: z.number(),
  reason: z.string().nullable(),
});

const SLICE = z.object({
  columns: z.array(z.string()),
  values: z.array(z.string()),
  items: z.number(),
  rows: z.number(),
  unparsed: z.number(),
  missing: z.number(),
  metrics: z.record(z.enum(TOOLFAULT_METRICS), RATE),
});

const CLASS = z.object({
  faultType: z.enum(FAULT_TYPES),
  support: z.number(),
  predicted: z.number(),
  precision: number,
  recall: number,
  f1: z.number(),
});

const RUN = z.object({
  name: z.array(z.string()),
  repeats: z.number(),
  interval: z.enum(["wilson", "bootstrap"]),
  overall: SLICE,
  slices: z.array(SLICE),
  classes: z.array(CLASS),
  confusion: z.array(z.array(z.number())),
  unknownLabels: z.array(z.tuple([z.string(), z.number()])),
  promptHashes: z.array(z.string()),
});

const DIFFERENCE = z.object({
  value: number,
  low: number,
  high: number,
  beyondNoise: z.boolean().nullable(),
});

const COMPARISON = z.object({
  baseline: z.array(z.string()),
  candidate: z.array(z.string()),
  metrics: z.record(z.enum(TOOLFAULT_METRICS), DIFFERENCE),
  joint: z.object({ onlyBaseline: z.number(), onlyCandidate: z.number(), pValue: z.number() }).nullable(),
});

const RESULT: z.ZodType<ToolFaultResult> = z.object({
  benchmark: z.literal("toolfault"),
  format: z.literal(1),
  items: z.number(),
  hardNegatives: z.number(),
  itemsHash: z.string().nullable(),
  runColumns: z.array(z.string()),
  runs: z.array(RUN),
  comparisons: z.array(COMPARISON),
  level: z.number(),
  resamples: z.number(),
  seed: z.number(),
});

/**
 * A result that `calibrant toolfault score -o result.json` wrote.
 *
 * @param name how errors name the file
 * @throws CalibrantError `data` naming the file and the first thing that is not as it must be.
 */
export function parseToolFaultResult(text: string, name: string): ToolFaultResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CalibrantError(
      "data",
      `${name}: not valid JSON: ${errorMessage(error)}`,
      { name },
      { cause: error },
    );
  }
  const parsed = RESULT.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  const way =
    "write results with calibrant toolfault score -o NAME.json; predictions end in .jsonl, .arrow or .parquet";
  throw new CalibrantError(
    "data",
    `${name}: no result of ToolFault-Bench: ${place} ${issue?.message}; ${way}`,
    { name },
  );
}
