import type { ColumnKind, ColumnNeeds, ColumnRequest, FoundColumn } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import type { EvaluationOptions } from "../evaluation-options.ts";
import { checkOptions } from "./check-options.ts";

/** How correctness is read. */
export type CorrectSource =
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "actions" }
  /** `right` is the r_cls of a right decision: 3 in the paper's variant, 2 in the released one. */
  | { readonly kind: "class-reward"; readonly right: number };

/** How confidence is obtained: from the uncertainty, by a cross-fitted calibrator, or from a column. */
export type ConfidenceSource =
  | { readonly kind: "exp-nll" }
  | { readonly kind: "fitted"; readonly calibrator: "platt" | "isotonic" | "temperature" }
  | { readonly kind: "column"; readonly name: string };

/** Options after defaults and the columns of the inputs were taken into account. */
export interface EvaluationSettings {
  readonly by: readonly string[];
  readonly uncertainty: string;
  /** `log`: the axis is ln PPL, whether the column holds PPL or nll. */
  readonly scale: "log" | "identity";
  /** The axis value is the logarithm of the column (perplexities), or the column itself. */
  readonly takeLog: boolean;
  readonly correct: CorrectSource;
  readonly confidence: ConfidenceSource;
  readonly cluster: string | null;
  readonly weight: string | null;
  readonly method: "histogram" | "ks" | "kde";
  readonly normalize: "density" | "count";
  readonly eceBins: number;
  readonly resamples: number;
  readonly permutations: number;
  readonly level: number;
  readonly seed: number;
  /** Slicing columns that hold booleans in every input. */
  readonly booleans: ReadonlySet<string>;
  readonly needs: ColumnNeeds;
  readonly options: EvaluationOptions;
}

/** The kind of a column that every input has, `undefined` when one lacks it. */
type KindOf = (name: string, preferred: readonly ColumnKind[]) => ColumnKind | undefined;

const FITTED = ["platt", "isotonic", "temperature"] as const;

/**
 * Checks options and chooses the columns of a report.
 *
 * @param found the columns of each input
 * @throws CalibrantError `option` for a bad option.
 */
export function evaluationSettings(
  found: readonly (readonly FoundColumn[])[],
  options: EvaluationOptions,
): EvaluationSettings {
  checkOptions(options);
  const kindOf = sharedKinds(found);
  const has = (name: string): boolean => kindOf(name, ["number"]) !== undefined;
  const uncertainty = options.uncertainty ?? (has("ppl") || !has("nll") ? "ppl" : "nll");
  const scale = options.scale ?? (uncertainty === "ppl" || uncertainty === "nll" ? "log" : "identity");
  const correct = correctSource(options.correct, kindOf);
  const confidence = confidenceSource(options.confidence, scale);
  const group = kindOf("group_id", ["key"]) === undefined ? null : "group_id";
  const settings = {
    by: options.by ?? [],
    uncertainty,
    scale,
    takeLog: scale === "log" && uncertainty !== "nll",
    correct,
    confidence,
    cluster: options.cluster === undefined ? group : options.cluster,
    weight: options.weight ?? null,
    method: options.method ?? "histogram",
    normalize: options.normalize ?? "density",
    eceBins: options.eceBins ?? 15,
    resamples: options.resamples ?? 1000,
    permutations: options.permutations ?? 200,
    level: options.level ?? 0.95,
    seed: options.seed ?? 0,
    booleans: booleanColumns(found, options.by ?? []),
    options,
  } as const;
  return { ...settings, needs: columnNeeds(settings, kindOf) };
}

function booleanColumns(found: readonly (readonly FoundColumn[])[], by: readonly string[]): Set<string> {
  const isBoolean = (name: string): boolean =>
    found.every((columns) => columns.some((column) => column.name === name && column.type === "bool"));
  return new Set(by.filter(isBoolean));
}

/** The columns that numbers come from, in words for a reader. */
export function correctWords(source: CorrectSource): string {
  if (source.kind === "column") return source.name;
  return source.kind === "actions"
    ? "action = gt_action"
    : `r_cls = ${source.right} (the action was the gold action)`;
}

function sharedKinds(found: readonly (readonly FoundColumn[])[]): KindOf {
  const inputs = found.map((columns) => new Map(columns.map((column) => [column.name, column.kinds])));
  return (name, preferred) => {
    const kinds = inputs.map((columns) => columns.get(name));
    if (kinds.length === 0 || kinds.includes(undefined)) return undefined;
    const shared = preferred.find((kind) => kinds.every((of) => of?.includes(kind)));
    // Of another kind: asked for as the first, so that the check of the columns names the type that was found.
    return shared ?? preferred[0];
  };
}

function correctSource(option: string | undefined, kindOf: KindOf): CorrectSource {
  if (option !== undefined) return { kind: "column", name: option };
  if (kindOf("correct", ["number"]) !== undefined) return { kind: "column", name: "correct" };
  if (kindOf("action", ["key"]) !== undefined && kindOf("gt_action", ["key"]) !== undefined)
    return { kind: "actions" };
  if (kindOf("r_cls", ["number"]) !== undefined) {
    // Only the released variant has an r_align.
    return { kind: "class-reward", right: kindOf("r_align", ["number"]) === undefined ? 3 : 2 };
  }
  return { kind: "column", name: "correct" };
}

function confidenceSource(option: string | undefined, scale: "log" | "identity"): ConfidenceSource {
  const chosen = option ?? (scale === "log" ? "exp-nll" : "platt");
  const calibrator = FITTED.find((name) => name === chosen);
  if (calibrator === "temperature" && scale === "identity") throw needsLog("temperature");
  if (calibrator !== undefined) return { kind: "fitted", calibrator };
  if (chosen !== "exp-nll") return { kind: "column", name: chosen };
  if (scale === "identity") throw needsLog("exp-nll");
  return { kind: "exp-nll" };
}

function needsLog(name: string): CalibrantError {
  return new CalibrantError(
    "option",
    `confidence ${name} needs perplexities: choose platt, isotonic or a column of confidences instead`,
    { confidence: name },
  );
}

function columnNeeds(settings: Omit<EvaluationSettings, "needs">, kindOf: KindOf): ColumnNeeds {
  const required: ColumnRequest[][] = [
    [{ name: settings.uncertainty, kind: "number" }],
    ...correctNeeds(settings),
  ];
  if (settings.options.uncertainty === undefined && settings.uncertainty === "ppl") {
    if (kindOf("ppl", ["number"]) === undefined) required[0]?.push({ name: "nll", kind: "number" });
  }
  for (const name of settings.by) {
    const kind = kindOf(name, ["key", "number"]);
    if (kind !== undefined || name !== "file") required.push([{ name, kind: kind ?? "key" }]);
  }
  if (settings.cluster !== null) required.push([{ name: settings.cluster, kind: "key" }]);
  if (settings.weight !== null) required.push([{ name: settings.weight, kind: "number" }]);
  if (settings.confidence.kind === "column")
    required.push([{ name: settings.confidence.name, kind: "number" }]);
  const taken = new Set(required.flat().map((request) => request.name));
  const also = [
    ...["certainty", "margin", "reward"],
    ...(settings.takeLog ? ["nll"] : []),
    // Not used, but it says which variant of TRUST an r_cls is of, and so has to have a name that --columns can give.
    ...(settings.correct.kind === "class-reward" ? ["r_align"] : []),
  ];
  const optional = also
    .filter((name) => !taken.has(name))
    .map((name): ColumnRequest => ({ name, kind: "number" }));
  return { required, optional };
}

function correctNeeds({ correct, options }: Omit<EvaluationSettings, "needs">): ColumnRequest[][] {
  if (correct.kind === "actions") {
    return [[{ name: "action", kind: "key" }], [{ name: "gt_action", kind: "key" }]];
  }
  if (correct.kind === "class-reward") return [[{ name: "r_cls", kind: "number" }]];
  const column: ColumnRequest = { name: correct.name, kind: "number" };
  // Listed as alternatives only for the message: the choice above took one that is there.
  return options.correct === undefined && correct.name === "correct"
    ? [[column, { name: "action", kind: "key" }, { name: "r_cls", kind: "number" }]]
    : [[column]];
}
