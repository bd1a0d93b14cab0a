export type { AnswerToken, ChatAnswer } from "../inference/chat-answer.ts";
export type { ChatMessage } from "../inference/chat-client.ts";
export {
  type Annotator,
  createAnnotator,
} from "./annotate-trajectory.ts";
export type { KeyTurnAnnotation, TurnJudgement } from "./annotation.ts";
export {
  type AskUntilValidOptions,
  askUntilValid,
  type EarlierAttempt,
  type JudgeAttempt,
  type JudgeQuestion,
  type StructuredSchema,
} from "./ask-until-valid.ts";
export { createTurnJudge, judgedWithoutModel, type TurnJudge, type WithoutModel } from "./judge-turn.ts";
export { type LabelBalance, type LabelCounts, labelBalance } from "./label-balance.ts";
export {
  ANNOTATOR_PROMPT_VERSION,
  annotatorPromptHash,
  JUDGE_PROMPT_VERSION,
  judgePromptHash,
} from "./prompt-version.ts";
export type { TextLimits } from "./quoted-part.ts";
export type { TrajectoryToAnnotate } from "./trajectory-to-annotate.ts";
export type { TurnToJudge } from "./turn-to-judge.ts";
