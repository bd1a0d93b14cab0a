import type { RecordBatch, Table } from "apache-arrow";
import { checkColumns } from "../data/check-columns.ts";
import { checkOptionNames } from "../data/check-option-names.ts";
import type { Bench2RobustOptions } from "./bench2robust.ts";
import { RELEASED_OPTIONS, TRUST_OPTIONS } from "./option-names.ts";
import { newOutputs, pickColumns } from "./plan-outputs.ts";
import { planRewards, type RewardPlanOptions } from "./reward-plan.ts";
import { scoreBatches } from "./score-batches.ts";
import type { TrustOptions } from "./trust.ts";
import type { TrustReleasedOptions } from "./trust-released.ts";

/**
 * Scores an Arrow table with any rewards that `calibrant score --reward` takes and returns it with the columns
 * added. Record batches stay as they are; input columns keep their buffers. Arrow is loaded on the first call.
 *
 * @param rewards - names or one formula, see `planRewards`.
 * @throws CalibrantError `schema` listing missing or mistyped columns; `option` for a bad option.
 */
export async function scoreTable(
  table: Table,
  rewards: readonly string[],
  options: RewardPlanOptions = {},
): Promise<Table> {
  const { foundArrowColumns } = await import("../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../data/arrow/arrow-columns.ts");
  const { appendTableColumns } = await import("../data/arrow/append-table-columns.ts");
  const found = foundArrowColumns(table.schema);
  const numeric = found.filter((column) => column.kinds.includes("number")).map((column) => column.name);
  const plan = await planRewards(rewards, options, numeric);
  const requests = checkColumns(found, plan.needs, "table");
  const firstRows = rowStarts(table.batches);
  const batches = table.batches.map((batch, index) =>
    batchFromArrow(batch, requests, "table", firstRows[index] as number),
  );
  const outputs = newOutputs(plan, new Set(found.map((column) => column.name)), requests, "table");
  return appendTableColumns(
    table,
    outputs,
    scoreBatches(plan, batches).map((columns) => pickColumns(columns, outputs)),
  );
}

/**
 * TRUST `paper` over an Arrow table: adds `ppl nll margin certainty r_fmt r_ans r_cls reward advantage status`. The
 * numbers are those of `scoreTrust` and of `calibrant score --reward trust`.
 *
 * @throws CalibrantError `schema` listing missing or mistyped columns; `option` for a bad option.
 */
export async function scoreTrustTable(
  table: Table,
  options: TrustOptions & Pick<RewardPlanOptions, "advantage" | "prefix"> = {},
): Promise<Table> {
  checkOptionNames(options, [...TRUST_OPTIONS, "advantage", "prefix"], "scoreTrustTable");
  const { advantage, prefix, ...trust } = options;
  return scoreTable(table, ["trust"], { trust, ...(advantage && { advantage }), ...(prefix && { prefix }) });
}

/**
 * TRUST `released` over an Arrow table: adds `ppl nll ppl_gt ppl_neg margin certainty r_fmt r_align r_ans r_cls raw_score
 * reward advantage status`. The numbers are those of `scoreTrustReleased` and of `calibrant score --reward trust-released`.
 *
 * @throws CalibrantError `schema` listing missing or mistyped columns; `option` for a bad option.
 */
export async function scoreTrustReleasedTable(
  table: Table,
  options: TrustReleasedOptions & Pick<RewardPlanOptions, "advantage" | "prefix"> = {},
): Promise<Table> {
  checkOptionNames(options, [...RELEASED_OPTIONS, "advantage", "prefix"], "scoreTrustReleasedTable");
  const { advantage, prefix, ...trustReleased } = options;
  return scoreTable(table, ["trust-released"], {
    trustReleased,
    ...(advantage && { advantage }),
    ...(prefix && { prefix }),
  });
}

/**
 * Bench2Robust over an Arrow table: adds `efficiency repetition partial_credit reward advantage status`.
 *
 * @throws CalibrantError `schema` listing missing or mistyped columns; `option` for a bad option.
 */
export function scoreBench2RobustTable(
  table: Table,
  options: Bench2RobustOptions & Pick<RewardPlanOptions, "advantage" | "prefix"> = {},
): Promise<Table> {
  const { advantage, prefix, ...bench2robust } = options;
  return scoreTable(table, ["bench2robust"], {
    bench2robust,
    ...(advantage && { advantage }),
    ...(prefix && { prefix }),
  });
}

function rowStarts(batches: readonly RecordBatch[]): number[] {
  let row = 0;
  return batches.map((batch) => {
    const first = row;
    row += batch.numRows;
    return first;
  });
}
