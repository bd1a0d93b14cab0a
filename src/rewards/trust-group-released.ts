import { readGoldActions } from "../data/calls/messages.ts";
import type { Column, RolloutBatch } from "../data/columns.ts";
import { MARGIN_STATUSES, type MarginStatus } from "../uq/margin.ts";
import { type AdvantageOptions, oneGroupAdvantages } from "./advantage.ts";
import { renderReleasedCalls } from "./released/released-normalise.ts";
import { RELEASED_RESULTS, ReleasedGroups } from "./released-groups.ts";
import { releasedRows } from "./released-rows.ts";
import { releasedSettings, type TrustReleasedOptions } from "./released-settings.ts";
import { statusTexts } from "./status-text.ts";
import { groupPerplexities } from "./trust-group-perplexity.ts";
import {
  checkRollouts,
  isMissing,
  keyOf,
  messagesOf,
  SHARED,
  type TrustGroupInput,
  textOf,
  toolsOf,
} from "./trust-group-rows.ts";
import { releasedParts } from "./trust-released.ts";
import { type TrustOptions, trustSettings } from "./trust-settings.ts";
import { TRUST_STATUSES } from "./trust-status.ts";

/** The rewards of a group by the variant `released`, rounded as the authors'; arrays are `(rollouts)`, NaN = null. */
export interface ReleasedGroupScores {
  readonly variant: "released";
  /** The perplexities that each rollout is judged by, the authors' `ppl_gt` and `ppl_neg`; null only for a lone one. */
  readonly positive: Float64Array;
  readonly negative: Float64Array;
  readonly margin: Float64Array;
  readonly certainty: Float64Array;
  /** Which sides of the group had perplexities; unparsed rollouts are on neither. */
  readonly marginStatus: MarginStatus;
  readonly ppl: Float64Array;
  readonly nll: Float64Array;
  /** In [0, 2.15]. */
  readonly rFmt: Float64Array;
  /** Agreement with the target answer, in [0, 1]. */
  readonly rAlign: Float64Array;
  /** `rAlign + λ·certainty`, within [0, 2]. */
  readonly rAns: Float64Array;
  /** 0, 1 or 2. */
  readonly rCls: Float64Array;
  readonly rawScore: Float64Array;
  /** The authors' `score`; 0 for an empty response. */
  readonly reward: Float64Array;
  /** Group-relative advantage of the reward, see `groupAdvantages`. */
  readonly advantage: Float64Array;
  /** The words of TRUST_STATUSES that hold, joined by `;`; `filtered` when the group was, see `minStd`. */
  readonly status: string[];
}

/** {@link ReleasedGroupScores} of a group: the job `trust-released` over columns that are made without a search for keys. */
export function releasedGroupScores(
  group: TrustGroupInput,
  options: TrustOptions & TrustReleasedOptions & { readonly advantage?: AdvantageOptions },
): ReleasedGroupScores {
  const settings = releasedSettings(options);
  const level = options.level === undefined ? "token" : trustSettings(options).level;
  checkRollouts(group);
  const batch = groupBatch(group);
  const bits = new Uint32Array(batch.rows);
  const own = groupPerplexities(group, { sentinels: settings.sentinels, level }, bits);
  const groups = new Int32Array(batch.rows);
  const state = new ReleasedGroups(settings);
  const parts = releasedParts(own, releasedRows(batch, settings, bits), bits);
  state.add(parts, groups);
  const { columns, status } = state.finish(parts.kept, groups);
  const valuesOf = (name: (typeof RELEASED_RESULTS)[number]): Float64Array =>
    columns[RELEASED_RESULTS.indexOf(name)]?.values as Float64Array;
  const reward = valuesOf("reward");
  const { advantage, filtered } = oneGroupAdvantages(reward, options.advantage);
  return {
    variant: "released",
    positive: valuesOf("ppl_gt"),
    negative: valuesOf("ppl_neg"),
    margin: valuesOf("margin"),
    certainty: valuesOf("certainty"),
    marginStatus: MARGIN_STATUSES.find((_, bit) => ((status[0] ?? 0) & (1 << bit)) !== 0) ?? "no_perplexity",
    ...own,
    rFmt: valuesOf("r_fmt"),
    rAlign: valuesOf("r_align"),
    rAns: valuesOf("r_ans"),
    rCls: valuesOf("r_cls"),
    rawScore: valuesOf("raw_score"),
    reward,
    advantage,
    status: statusTexts(status, filtered, TRUST_STATUSES),
  };
}

/** The columns that `releasedRows` reads, but for perplexities. */
function groupBatch(group: TrustGroupInput): RolloutBatch {
  const { rollouts } = group;
  const gold = keyOf(group.goldAction, "gt_action", SHARED);
  const target = targetOf(group);
  const tools = toolsOf(group.tools);
  const responses = rollouts.map(({ response }, row) => textOf(response, "response", row));
  const messages = rollouts.map((rollout, row) => messagesOf(rollout.messages, row));
  const columns = new Map<string, Column>([
    ["gt_action", { kind: "key", codes: new Int32Array(rollouts.length), keys: gold === null ? [] : [gold] }],
    ["response", { kind: "text", get: (row) => responses[row] ?? null }],
    ["messages", { kind: "json", get: (row) => messages[row] }],
    ["gt_answer", { kind: "text", get: () => target }],
    ["tools", { kind: "json", get: () => tools }],
  ]);
  return { rows: rollouts.length, columns };
}

/** The gold calls are written out once for the group. */
function targetOf({ goldAnswer, goldActions }: TrustGroupInput): string | null {
  const answer = textOf(goldAnswer, "gt_answer", SHARED);
  if (answer !== null || isMissing(goldActions)) return answer;
  return renderReleasedCalls(readGoldActions(goldActions));
}
