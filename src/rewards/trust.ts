import type { RolloutBatch } from "../data/columns.ts";
import type { RewardJob, RowParts } from "./reward-job.ts";
import { TRUST_KEPT, TrustGroups } from "./trust-groups.ts";
import { ownPerplexities, referencePerplexities } from "./trust-perplexity.ts";
import { rowTerms, trustNeeds } from "./trust-rows.ts";
import { type TrustOptions, type TrustSettings, trustSettings } from "./trust-settings.ts";
import { TRUST_STATUSES } from "./trust-status.ts";

export type { TrustOptions, TrustWeights } from "./trust-settings.ts";

/**
 * The TRUST reward (arXiv 2606.06976, Eq. 3–7; the variant `paper`) as a job over rollout batches:
 * R_UQ = R_fmt + R_ans + c·R_cls, each with its weight.
 *
 * The decision of a row is its `action`, else that of its `response`, else that of its `messages` (native tool calls
 * at the end read as `tool_call`). `answer` wins over the answer in the text, `logprobs` over `ppl`, `gt_answer` over
 * `gold_actions`, `judged_r_fmt` and `judged_r_ans` over what would be judged here; each row falls back on its own.
 * The first `ref_ppl` (else `ref_logprobs`) and `neg_ppl` of a group, in row order, count for the group.
 *
 * Result columns: `ppl`, `nll`, `margin` and `certainty` of the group, `r_fmt` 0 or 1, `r_ans` in [0, 1], `r_cls` 1, 2
 * or 3, `reward`; NaN = null. A row without a perplexity stays out of the means and is rewarded all the same. R_fmt and
 * R_ans that cannot be judged add nothing. A row without a known gold action, or without a group, has no reward.
 * Statuses: see TRUST_STATUSES.
 *
 * @throws CalibrantError `option` for a value that an option cannot have; while scoring, `length-mismatch` or `data` for
 *   a mask, segments or nested column that cannot be.
 */
export function trustJob(options: TrustOptions = {}): RewardJob {
  const settings = trustSettings(options);
  return {
    name: "trust",
    needs: trustNeeds(settings),
    kept: TRUST_KEPT,
    results: ["ppl", "nll", "margin", "certainty", "r_fmt", "r_ans", "r_cls", "reward"],
    statusNames: TRUST_STATUSES,
    echoes: { ppl: "logprobs" },
    choices: trustChoices(settings),
    scoreRows: (batch) => scoreRows(batch, settings),
    createGroups: () => new TrustGroups(settings),
  };
}

/** The settings by the names of their options. */
function trustChoices({ rules, format, answer, ...rest }: TrustSettings): Readonly<Record<string, unknown>> {
  return {
    ...rest,
    ...rules,
    format: format ? "on" : "off",
    answer: typeof answer === "function" ? "custom" : answer,
  };
}

function scoreRows(batch: RolloutBatch, settings: TrustSettings): RowParts {
  const status = new Uint32Array(batch.rows);
  const own = ownPerplexities(batch, settings, status);
  const reference = referencePerplexities(
    batch,
    { ppl: "ref_ppl", logprobs: "ref_logprobs" },
    settings,
    status,
  );
  const counterfactual = referencePerplexities(batch, { ppl: "neg_ppl" }, settings, status);
  const terms = rowTerms(batch, settings, status);
  return {
    kept: [own.ppl, own.nll, terms.format, terms.answer, terms.class, new Float64Array(status)],
    passing: [reference.ppl, reference.nll, counterfactual.ppl, counterfactual.nll],
  };
}
