import { ACTIONS } from "../types.ts";
import type { StructuredSchema } from "./ask-until-valid.ts";

// Only keywords that every strict server takes: limits on numbers and lists are checked when an answer is read.
const ACTION = { type: "string", enum: ACTIONS };
const TEXT = { type: "string" };

/** The form of an annotator's answer. */
export const ANNOTATIONS_SCHEMA: StructuredSchema = {
  name: "key_turn_annotations",
  schema: strictObject({
    annotations: {
      type: "array",
      items: strictObject({
        turn_idx: { type: "integer" },
        gt_action: ACTION,
        rationale: TEXT,
        target_answer: TEXT,
      }),
    },
  }),
};

/** The form of a judge's answer. */
export const JUDGEMENT_SCHEMA: StructuredSchema = {
  name: "turn_judgement",
  schema: strictObject({ pred_action: ACTION, pred_answer: TEXT, rationale: TEXT }),
};

function strictObject(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
