import { settingText } from "../../metrics/robustness/main-setting.ts";
import type {
  CostRow,
  FaultTypeRow,
  GapRow,
  PassRate,
  PassRateDelta,
  RobustnessCondition,
  RobustnessResult,
  RobustnessSystem,
  SeedRow,
  SensitivityRow,
} from "../../metrics/robustness/robustness-result.ts";
import { formatCount, formatNumber, formatPercent } from "../format-number.ts";
import { missingCell, pointsCell, shareCell, textCell } from "./cells.ts";
import { formatPercentage, formatPoints } from "./format-share.ts";
import type { DocumentTable, TableCell, TableColumn, TableDocument, TableRow } from "./table-document.ts";

const NO_EPISODES = "no episodes";

/**
 * The robustness tables in percent and percentage points with one decimal: the gap by model and subset, the spread over
 * seeds, and, where the rows have what they need, by fault type, by severity and by cost.
 *
 * @param facts names and values to state besides the conventions, as the files read
 *
 * @example
 * ```ts
 * import { robustness } from "calibrant/metrics";
 * import { robustnessDocument } from "calibrant/report";
 * const rows = ["a", "b"].flatMap((task_id) => [
 *   { model: "m", condition: "clean", task_id, completed: true },
 *   { model: "m", condition: "injected", task_id, completed: task_id === "a" },
 * ]);
 * console.log(robustnessDocument(robustness(rows)).headline); // 1 of 1 (model, subset) pairs pass less …
 * ```
 */
export function robustnessDocument(
  result: RobustnessResult,
  facts: readonly (readonly [name: string, value: string])[] = [],
): TableDocument {
  return {
    title: "Robustness to tool failures",
    headline: headlineOf(result),
    warnings: result.warnings,
    tables: [
      gapTable(result),
      ...matrixTables(result),
      seedTable(result),
      ...faultTables(result),
      ...sensitivityTables(result),
      ...costTables(result),
    ],
    facts: [...facts, ...conventions(result)],
  };
}

function headlineOf({ degraded }: RobustnessResult): string {
  const { pairs, degraded: count, largest } = degraded;
  if (pairs === 0) return "No (model, subset) pair has both clean and injected episodes.";
  const drop =
    largest === null ? "" : `; the largest drop is ${formatPoints(largest.delta)} pp (${pairName(largest)})`;
  return `${count} of ${pairs} (model, subset) pairs pass less under injection${drop}.`;
}

function pairName({ model, subset }: Pick<GapRow, "model" | "subset">): string {
  return subset === null ? model : `${model}, ${subset}`;
}

function gapTable(result: RobustnessResult): DocumentTable {
  const hasAlt = result.gap.some(({ injectedAlt }) => injectedAlt.denominator > 0);
  const hasPlain = !hasAlt || result.gap.some(({ injected }) => injected.denominator > 0);
  const row = (gap: GapRow): TableRow => ({
    label: pairName(gap),
    cells: [
      shareCell(gap.clean, NO_EPISODES),
      ...(hasPlain ? [shareCell(gap.injected, NO_EPISODES), deltaCell(gap.delta)] : []),
      ...(hasAlt ? [shareCell(gap.injectedAlt, NO_EPISODES), deltaCell(gap.deltaAlt)] : []),
      ...(hasPlain ? [noiseCell(gap.delta), pValueCell(gap.delta), countText(gap.delta.pairedTasks)] : []),
    ],
  });
  return {
    id: "gap",
    title: "Robustness gap",
    rowTitle: "Model, subset",
    columns: [
      number("Clean", "Pass rate without injected faults, %."),
      ...(hasPlain
        ? [
            number("Inject", "Pass rate with injected faults and the original tools, %."),
            number("Δ", "Inject − clean over the tasks that both have, percentage points."),
          ]
        : []),
      ...(hasAlt
        ? [
            number("Inject w/ alt", "Pass rate with injected faults and alternative tools, %."),
            number("Δ alt", "Inject w/ alt − clean over the tasks that both have, percentage points."),
          ]
        : []),
      ...(hasPlain
        ? [
            text("Beyond noise", "Whether the interval of Δ leaves out 0."),
            number("McNemar p", "Exact test of Δ where every task has one episode on each side."),
            number("Tasks", "Tasks that have clean and injected episodes."),
          ]
        : []),
    ],
    rows: result.gap.map(row),
    notes: [
      `Each number with its ${formatPercent(result.level)} interval. Of Δ: a bootstrap over tasks, in pairs, seeds averaged within a task.`,
      rateNote(result),
    ],
  };
}

/** How the intervals of the pass rates were made. */
function rateNote({ gap }: RobustnessResult): string {
  const kinds = new Set(
    gap
      .flatMap(({ clean, injected, injectedAlt }) => [clean, injected, injectedAlt])
      .map((rate) => rate.interval),
  );
  const parts = [
    kinds.has("wilson") ? "Wilson's, where every task has one episode" : "",
    kinds.has("task-bootstrap") ? "a bootstrap over tasks, where tasks have several episodes" : "",
    kinds.has("task-wilson") ? "Wilson's with tasks as trials, where these are under 10 or all alike" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "Pass rates have no intervals." : `Of pass rates: ${parts.join("; ")}.`;
}

/** The paper's layout of the differences: models by subsets. */
function matrixTables({ gap, models, subsets }: RobustnessResult): DocumentTable[] {
  if (subsets.length < 2) return [];
  return [
    {
      id: "delta",
      title: "Δ by model and subset",
      rowTitle: "Model",
      columns: subsets.map((subset) => number(subset ?? "no subset", "Inject − clean, percentage points.")),
      rows: models.map((model) => ({
        label: model,
        cells: subsets.map((subset) => {
          const found = gap.find((row) => row.model === model && row.subset === subset);
          return found === undefined ? missingCell(NO_EPISODES) : deltaCell(found.delta);
        }),
      })),
      notes: [],
    },
  ];
}

function seedTable({ seeds, gap }: RobustnessResult): DocumentTable {
  const conditions = (["clean", "injected", "injectedAlt"] as const).filter((condition) =>
    seeds.some((row) => row.condition === condition),
  );
  const find = (pair: GapRow, condition: RobustnessCondition): SeedRow | undefined =>
    seeds.find(
      (row) => row.model === pair.model && row.subset === pair.subset && row.condition === condition,
    );
  return {
    id: "seeds",
    title: "Pass rates over seeds",
    rowTitle: "Model, subset",
    columns: conditions.map((condition) =>
      number(
        sentenceCase(SHORT_TITLES[condition]),
        "Mean ± sample standard deviation (n − 1) of the pass rates of the seeds, %.",
      ),
    ),
    rows: gap.map((pair) => ({
      label: pairName(pair),
      cells: conditions.map((condition) => seedCell(find(pair, condition))),
    })),
    notes: ["Mean ± standard deviation over seeds, and how many; one seed has no deviation."],
  };
}

function seedCell(row: SeedRow | undefined): TableCell {
  if (row === undefined) return missingCell(NO_EPISODES);
  const spread = row.std === null ? "" : ` ± ${formatPercentage(row.std)}`;
  const detail = row.seeds === 1 ? "1 seed" : `${row.seeds} seeds`;
  return { text: `${formatPercentage(row.mean)}${spread}`, detail, sort: row.mean, missing: null };
}

const GROUP_TITLES: Readonly<Record<FaultTypeRow["group"], string>> = {
  service: "service, explicit",
  "auth-schema": "auth and schema, explicit",
  silent: "silent",
  other: "other",
};

function faultTables({ byFaultType, systems }: RobustnessResult): DocumentTable[] {
  if (byFaultType.length === 0) return [];
  const [hasBtm, hasRl] = [hasDelta(byFaultType, "deltaBtm"), hasDelta(byFaultType, "deltaRl")];
  return [
    {
      id: "fault-types",
      title: "Pass rate by fault type",
      rowTitle: "Fault type",
      columns: [
        text("Group", "How an agent can see the fault."),
        ...systems.map(systemColumn),
        ...(hasBtm ? [number("ΔBTM", "BTM − base, percentage points.")] : []),
        ...(hasRl ? [number("ΔRL", "RL − BTM, percentage points.")] : []),
      ],
      rows: byFaultType.map((row) => ({
        label: row.faultType.replace(/_/g, " "),
        cells: [
          textCell(GROUP_TITLES[row.group]),
          ...row.rates.map((rate) => shareCell(rate, NO_EPISODES)),
          ...(hasBtm ? [deltaCell(row.deltaBtm)] : []),
          ...(hasRl ? [deltaCell(row.deltaRl)] : []),
        ],
      })),
      notes: [
        "Injected without alternatives, all subsets together; an episode with several fault types counts under each.",
        "Δ is the difference of the two rates; its interval draws the tasks of both systems together.",
      ],
    },
  ];
}

function hasDelta(rows: readonly FaultTypeRow[], key: "deltaBtm" | "deltaRl"): boolean {
  return rows.some((row) => row[key] !== null);
}

function sensitivityTables({ sensitivity, systems, setting }: RobustnessResult): DocumentTable[] {
  const { pClean, limits, other } = sensitivity;
  const fixedLimits = settingText({ ...setting, pClean: null });
  const fixedShare = settingText({ ...setting, budget: null, kMax: null });
  const table = (id: string, title: string, rows: readonly SensitivityRow[]): DocumentTable[] =>
    rows.length < 2 ? [] : [severityTable(id, title, rows, systems)];
  return [
    ...table("p-clean", `Sensitivity to P(clean); ${fixedLimits}`, pClean),
    ...table("limits", `Sensitivity to the injection limits; ${fixedShare}`, limits),
    ...table("other-settings", "Other severities", other),
  ];
}

function severityTable(
  id: string,
  title: string,
  rows: readonly SensitivityRow[],
  systems: readonly RobustnessSystem[],
): DocumentTable {
  const hasDeltas = rows.some(({ delta }) => delta !== null);
  return {
    id,
    title,
    rowTitle: "Setting",
    columns: [
      ...systems.map(systemColumn),
      ...(hasDeltas
        ? [number("Δ", "Last system − base over the tasks that both have, percentage points.")]
        : []),
    ],
    rows: rows.map((row) => ({
      label: settingText(row),
      cells: [
        ...row.rates.map((rate: PassRate) => shareCell(rate, NO_EPISODES)),
        ...(hasDeltas ? [deltaCell(row.delta)] : []),
      ],
    })),
    notes: ["Injected without alternatives, all subsets together."],
  };
}

const SHORT_TITLES: Readonly<Record<RobustnessCondition, string>> = {
  clean: "clean",
  injected: "inject",
  injectedAlt: "inject w/ alt",
};

function costTables({ cost }: RobustnessResult): DocumentTable[] {
  if (!cost.some(({ turns, tokens }) => turns !== null || tokens !== null)) return [];
  return [
    {
      id: "cost",
      title: "Cost",
      rowTitle: "Model, condition",
      columns: [
        number("Turns", "Mean turns an episode."),
        number("Tokens", "Mean tokens an episode."),
        number("Episodes", "Episodes with a result."),
      ],
      rows: cost.map((row: CostRow) => ({
        label: `${row.model}, ${SHORT_TITLES[row.condition]}`,
        cells: [meanCell(row.turns, 1), meanCell(row.tokens, 0), countText(row.episodes)],
      })),
      notes: ["All subsets together."],
    },
  ];
}

function meanCell(value: number | null, decimals: number): TableCell {
  if (value === null) return missingCell("not stated");
  return { text: formatCount(Number(value.toFixed(decimals))), detail: "", sort: value, missing: null };
}

function conventions(result: RobustnessResult): [string, string][] {
  const { rows, excluded, level, resamples, seed, systems, setting } = result;
  const roles = systems.filter(({ role }) => role !== null);
  return [
    ["rows", formatCount(rows)],
    ["without a result", formatCount(excluded.unscored)],
    ["severity", settingText(setting)],
    ...roles.map(({ role, model }): [string, string] => [String(role), model]),
    ["level", formatPercent(level)],
    ["resamples", formatCount(resamples)],
    ["seed", String(seed)],
  ];
}

function deltaCell(delta: PassRateDelta | null): TableCell {
  return delta === null ? missingCell("not computed") : pointsCell(delta, NO_EPISODES);
}

function noiseCell({ beyondNoise }: PassRateDelta): TableCell {
  if (beyondNoise === null) return missingCell("no interval, or fewer than 10 tasks");
  return textCell(beyondNoise ? "yes" : "no");
}

function pValueCell({ mcnemar }: PassRateDelta): TableCell {
  if (mcnemar === null) return missingCell("tasks have several episodes, or none in pairs");
  const { pValue } = mcnemar;
  return { text: formatNumber(pValue, "p"), detail: "", sort: pValue, missing: null };
}

function countText(count: number): TableCell {
  return { text: formatCount(count), detail: "", sort: count, missing: null };
}

const ROLE_TITLES: Readonly<Record<string, string>> = { base: "Base", btm: "+BTM", rl: "RL+BTM" };

function systemColumn({ role, model }: RobustnessSystem): TableColumn {
  const title = role === null ? model : (ROLE_TITLES[role] ?? model);
  return number(title, `Pass rate of ${model}, %.`);
}

function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function number(title: string, meaning: string): TableColumn {
  return { title, meaning, kind: "number" };
}

function text(title: string, meaning: string): TableColumn {
  return { title, meaning, kind: "text" };
}
