import { jsonText } from "../data/jsonl/json-text.ts";
import { sha256Hex } from "../data/sha256-hex.ts";
import { annotatorMessages } from "./annotator-prompt.ts";
import { ANNOTATIONS_SCHEMA, JUDGEMENT_SCHEMA } from "./answer-schemas.ts";
import { correctionText } from "./ask-until-valid.ts";
import { judgeMessages } from "./judge-prompt.ts";
import { labelBalance } from "./label-balance.ts";
import { ANNOTATION_SPECIMEN, BARE_MESSAGES, SPECIMEN_LIMITS, SPECIMEN_MESSAGES } from "./prompt-specimen.ts";

/** Counts the versions of the annotator's prompt: annotations of two versions should not be mixed. */
export const ANNOTATOR_PROMPT_VERSION: string = "1";

/** Counts the versions of the judge's prompt: judgements of two versions should not be mixed. */
export const JUDGE_PROMPT_VERSION: string = "1";

/**
 * SHA-256 of everything fixed in the annotator's prompt (its words and layout, the form of the answer, the request to mend one,
 * the version), in hexadecimal digits; the same for all trajectories and limits.
 */
export async function annotatorPromptHash(): Promise<string> {
  const even = labelBalance({ direct_answer: 0, tool_call: 0, request_for_info: 0, cannot_answer: 0 });
  const skewed = labelBalance({ direct_answer: 2, tool_call: 6, request_for_info: 1, cannot_answer: 0 });
  const full = { messages: SPECIMEN_MESSAGES, tools: [{ name: "look" }], checklists: ["done"] };
  const bare = { messages: BARE_MESSAGES, tools: null, checklists: null };
  const fixed = [
    ANNOTATOR_PROMPT_VERSION,
    annotatorMessages(full, skewed, SPECIMEN_LIMITS),
    annotatorMessages(bare, even, SPECIMEN_LIMITS),
    ANNOTATIONS_SCHEMA,
    correctionText(""),
  ];
  return sha256Hex(jsonText(fixed));
}

/** SHA-256 of everything fixed in the judge's prompt, as {@link annotatorPromptHash}. */
export async function judgePromptHash(): Promise<string> {
  const full = { messages: SPECIMEN_MESSAGES, turnIdx: 1, annotation: ANNOTATION_SPECIMEN };
  const bare = { messages: BARE_MESSAGES, turnIdx: 0, annotation: null };
  const fixed = [
    JUDGE_PROMPT_VERSION,
    judgeMessages(full, SPECIMEN_LIMITS),
    judgeMessages(bare, SPECIMEN_LIMITS),
    JUDGEMENT_SCHEMA,
    correctionText(""),
  ];
  return sha256Hex(jsonText(fixed));
}
