import type { LogRecord } from "../../data/append-log.ts";
import type { StructuredForm } from "../../inference/structured-asker.ts";
import type { JudgeAttempt } from "../../judge/ask-until-valid.ts";

/** What all answers of a run share. */
export interface RunSettings {
  readonly requestedModel: string;
  readonly promptVersion: string;
  readonly promptHash: string;
  readonly temperature: number;
  readonly maxTokens: number;
  /** Null when none was sent. */
  readonly seed: number | null;
  /** Further fields of the request, which win over those above. */
  readonly extraBody: Readonly<Record<string, unknown>> | null;
  /** How much of the texts the model is shown, see `TextLimits`. */
  readonly textLimit: number;
  readonly totalLimit: number;
}

/** The fields of a line that say what the model answered, and how it was asked. */
export function runFields(
  { attempt, answer, error }: JudgeAttempt<unknown>,
  form: StructuredForm,
  settings: RunSettings,
): LogRecord {
  return {
    error,
    output: answer.text,
    attempt,
    finish_reason: answer.finishReason,
    model: answer.model,
    requested_model: settings.requestedModel,
    prompt_version: settings.promptVersion,
    prompt_hash: settings.promptHash,
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    seed: settings.seed,
    structured: form,
    extra_body: settings.extraBody,
    text_limit: settings.textLimit,
    total_limit: settings.totalLimit,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
  };
}

/** What must be the same in all lines of a file that a model answered. */
export function comparedFields(settings: RunSettings): LogRecord {
  return {
    prompt_hash: settings.promptHash,
    requested_model: settings.requestedModel,
    temperature: settings.temperature,
    seed: settings.seed,
    extra_body: settings.extraBody,
    text_limit: settings.textLimit,
    total_limit: settings.totalLimit,
  };
}
