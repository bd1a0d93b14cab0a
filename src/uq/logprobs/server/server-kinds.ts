/** What log-probs are of: the model's own (raw), or after temperature and other settings of the sampling (processed). */
export const LOGPROBS_MODES = ["raw", "processed", "unknown"] as const;
/** One of {@link LOGPROBS_MODES}. */
export type LogprobsMode = (typeof LOGPROBS_MODES)[number];

/** Servers that give log-probs of given texts. */
export const SERVER_KINDS = ["vllm", "sglang"] as const;
/** One of {@link SERVER_KINDS}. */
export type ServerKind = (typeof SERVER_KINDS)[number];
