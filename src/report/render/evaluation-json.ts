import type { core } from "zod";
import { CalibrantError } from "../../errors.ts";
import { EVALUATION_SCHEMA, type Evaluation } from "../evaluation.ts";
import { evaluationSchema } from "./evaluation-schema.ts";
import { indentedJson } from "./indented-json.ts";
import { inSchemaOrder } from "./schema-order.ts";

/** How the JSON text is laid out. */
export interface EvaluationJsonOptions {
  /** Spaces of indentation. Default 0: one line. */
  readonly space?: number;
}

/**
 * An evaluation as JSON text: properties in the order of the schema, numbers in full precision, NaN and infinities as
 * the strings "NaN", "Infinity", "-Infinity". The same evaluation gives the same bytes; ends with a line feed.
 * {@link parseEvaluation} reads it back, and {@link evaluationJsonSchema} describes it.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { evaluateTable, evaluationJson, parseEvaluation } from "calibrant/report";
 * const table = tableFromArrays({ ppl: [1.1, 1.2, 2.5, 3.1], correct: Uint8Array.of(1, 1, 0, 1) });
 * const evaluation = await evaluateTable(table, { resamples: 100, permutations: 100 });
 * const text = evaluationJson(evaluation);
 * console.log(text.slice(0, 34), evaluationJson(await parseEvaluation(text)) === text); // {"schema":"calibrant/evaluation@1" true
 * ```
 */
export function evaluationJson(evaluation: Evaluation, options: EvaluationJsonOptions = {}): string {
  const { space = 0 } = options;
  return indentedJson(inSchemaOrder(evaluation), space);
}

/**
 * Reads the JSON text of an evaluation and checks it against the schema. The strings "NaN", "Infinity" and "-Infinity"
 * become numbers where the schema has numbers; labels and plot specifications stay as they are.
 *
 * @throws CalibrantError `data` for text that is not JSON, `schema` for another schema or version, or for a value that
 * the schema does not allow: the first one is named.
 *
 * @example
 * ```ts
 * import { parseEvaluation } from "calibrant/report";
 * const message = await parseEvaluation('{"schema":"calibrant/evaluation@9"}').catch((error) => error.message);
 * console.log(message); // evaluation.schema must be "calibrant/evaluation@1" … got "calibrant/evaluation@9"
 * ```
 */
export async function parseEvaluation(text: string): Promise<Evaluation> {
  const json = parseJson(text);
  checkVersion(json);
  const result = (await evaluationSchema()).safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new CalibrantError("schema", describeIssue(issue as core.$ZodIssue, json), { issue });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = JSON.stringify(text.slice(0, 40));
    throw new CalibrantError("data", `evaluation must be JSON text, got ${start}`, {}, { cause });
  }
}

function checkVersion(json: unknown): void {
  const found = typeof json === "object" && json !== null && "schema" in json ? json.schema : undefined;
  if (found === EVALUATION_SCHEMA) return;
  const way = "read it with the version of calibrant that wrote it, or make the report again";
  throw new CalibrantError(
    "schema",
    `evaluation.schema must be ${JSON.stringify(EVALUATION_SCHEMA)} (${way}), got ${shortJson(found)}`,
    { schema: found },
  );
}

function describeIssue(issue: core.$ZodIssue, json: unknown): string {
  const path = issue.path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("");
  let value: unknown = json;
  for (const step of issue.path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
  return `evaluation${path} ${expectation(issue)}, got ${shortJson(value)}`;
}

function expectation(issue: core.$ZodIssue): string {
  if (issue.code === "invalid_union") return 'must be a number, "NaN", "Infinity" or "-Infinity"';
  if (issue.code === "custom") return issue.message;
  return `is not valid (${issue.message})`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/**
 * The JSON Schema (draft 2020-12) of the text that {@link evaluationJson} writes, for readers in other languages; the
 * repository holds it as `docs/evaluation.schema.json`.
 *
 * @example
 * ```ts
 * import { evaluationJsonSchema } from "calibrant/report";
 * console.log((await evaluationJsonSchema()).title); // Calibration report
 * ```
 */
export async function evaluationJsonSchema(): Promise<Readonly<Record<string, unknown>>> {
  const { z } = await import("zod");
  const schema = z.toJSONSchema(await evaluationSchema(), { target: "draft-2020-12", io: "input" });
  return schema as Readonly<Record<string, unknown>>;
}
