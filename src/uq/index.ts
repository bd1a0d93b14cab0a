export { type CertaintyOptions, certainty } from "./certainty.ts";
export {
  type CorpusPerplexity,
  type CorpusPerplexityOptions,
  corpusPerplexity,
} from "./corpus-perplexity.ts";
export {
  type GroupMargin,
  type GroupMarginOptions,
  groupMargin,
  MARGIN_STATUSES,
  type MarginRules,
  type MarginStatus,
} from "./margin.ts";
export { confidenceFromNll, nllFromPpl, pplFromNll } from "./nll.ts";
export {
  DEFAULT_SENTINELS,
  type PerplexityColumns,
  type PerplexityOptions,
  perplexity,
  type RaggedMask,
} from "./perplexity.ts";
export { PERPLEXITY_FLAGS, type PerplexityFlag, perplexityFlags } from "./perplexity-flags.ts";
export { type SequencePerplexity, sequencePerplexity } from "./sequence-perplexity.ts";
