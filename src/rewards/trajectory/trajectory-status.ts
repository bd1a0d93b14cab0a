/**
 * The words of a trajectory's status that are its own, bit by bit; the words of its decisions (TRUST_STATUSES, without
 * `separated`) follow.
 *
 * - `no_group`: no group, so no reward
 * - `no_base`: the base reward is missing or is none (checklists that cannot be read); no reward
 * - `no_messages`: no conversation can be read; no key turn, and no reward unless nothing was annotated
 * - `no_key_turn`: nothing was annotated, or nothing that can be used: the reward is the base reward
 * - `annotation_failed`, `not_annotated`: the annotator gave no valid answer, or the file of annotations does not know the
 *   trajectory; no reward
 * - `turn_out_of_range`: an annotation names a turn that is none; skipped
 * - `bad_annotation`: an annotation is no object, or its gold action or turn is none; skipped
 * - `no_assistant`: the assistant said nothing in a key turn; skipped
 * - `not_judged`, `judge_failed`: a key turn's decision is free text that no judgement or none that succeeded says what it
 *   is; no reward
 * - `no_turn_end`: it is not known at which token a key turn ends
 * - `end_masked`: the mask says that the model did not generate the token at which a key turn ends: a trainer that masks its loss
 *   loses the reward there
 */
export const TRAJECTORY_WORDS = [
  "no_group",
  "no_base",
  "no_messages",
  "no_key_turn",
  "annotation_failed",
  "not_annotated",
  "turn_out_of_range",
  "bad_annotation",
  "no_assistant",
  "not_judged",
  "judge_failed",
  "no_turn_end",
  "end_masked",
] as const;

/** The bit of each of {@link TRAJECTORY_WORDS}. */
export const TRAJECTORY_BIT: Readonly<Record<(typeof TRAJECTORY_WORDS)[number], number>> = Object.fromEntries(
  TRAJECTORY_WORDS.map((word, bit) => [word, 2 ** bit]),
) as Record<(typeof TRAJECTORY_WORDS)[number], number>;
