import type { RolloutBatch } from "../data/columns.ts";
import { RELEASED_KEPT, RELEASED_RESULTS, ReleasedGroups } from "./released-groups.ts";
import { type ReleasedRows, releasedNeeds, releasedRows } from "./released-rows.ts";
import {
  releasedSettings,
  type TrustReleasedOptions,
  type TrustReleasedSettings,
} from "./released-settings.ts";
import type { RewardJob, RowParts } from "./reward-job.ts";
import { ownPerplexities, type RowPerplexities } from "./trust-perplexity.ts";
import { trustSettings } from "./trust-settings.ts";
import { TRUST_STATUSES } from "./trust-status.ts";

export type { TrustReleasedOptions } from "./released-settings.ts";

/**
 * The TRUST reward as the authors' training code computes it (repository yjzscode/TRUST, revision 2b5be3e; the variant
 * `released`) as a job over rollout batches: `reward` is their `score`, to 4 decimals, and every part is rounded as theirs.
 *
 * It reads the text alone: the `response`, else the last assistant message with its native calls written as
 * `<tool_call>` blocks. `gt_action` may be a letter, a name or an alias; `gt_answer`, else the first of `gold_actions`, is
 * their `chosen_response`; `tools` are the functions that may be called. Perplexities are those of `trustJob`: `logprobs`,
 * else `ppl`; each row gets its own pair from its group, see `releasedGroup`.
 *
 * Where it is not the authors' code: a row without a known gold action has no reward (`no_gold`; they would take A), as
 * has one without a group (`no_group`). An empty or missing response scores 0, as theirs does, with the status
 * `no_response` and every part null. Statuses: see TRUST_STATUSES; those of the margin say which side of the group had
 * perplexities.
 *
 * @throws CalibrantError `option` for a value that an option cannot have.
 */
export function trustReleasedJob(options: TrustReleasedOptions = {}): RewardJob {
  const settings = releasedSettings(options);
  return {
    name: "trust-released",
    needs: releasedNeeds(),
    kept: RELEASED_KEPT,
    results: RELEASED_RESULTS,
    statusNames: TRUST_STATUSES,
    echoes: { ppl: "logprobs" },
    choices: { ...settings },
    scoreRows: (batch) => scoreRows(batch, settings),
    createGroups: () => new ReleasedGroups(settings),
  };
}

function scoreRows(batch: RolloutBatch, settings: TrustReleasedSettings): RowParts {
  const status = new Uint32Array(batch.rows);
  const own = ownPerplexities(batch, trustSettings({ sentinels: settings.sentinels }), status);
  return releasedParts(own, releasedRows(batch, settings, status), status);
}

/** What `ReleasedGroups` takes, of rows and their perplexities. */
export function releasedParts(own: RowPerplexities, rows: ReleasedRows, status: Uint32Array): RowParts {
  return {
    kept: [
      own.ppl,
      own.nll,
      rows.format,
      rows.alignment,
      rows.class,
      rows.letter,
      rows.gold,
      rows.flags,
      new Float64Array(status),
    ],
    passing: [],
  };
}
