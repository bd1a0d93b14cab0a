import type { ColumnRenames } from "../../data/check-columns.ts";
import type { StructuredForm } from "../../inference/structured-asker.ts";
import type { AskingOptions, Endpoint } from "../asking/asking-options.ts";

/** The options that `calibrant annotate` and `calibrant judge` share. */
export interface JudgingOptions extends AskingOptions {
  /** The trajectories: files or glob patterns. */
  readonly files: readonly string[];
  /** `--columns needed=present,…` */
  readonly columns: ColumnRenames;
  /** `--from <source>`: the adapter to read through; null = our own columns. */
  readonly from: string | null;
  /** `--id <column>`; null = `rollout_id` when every input has it, else the row number. */
  readonly id: string | null;
  /** `-o, --output <file>`: JSON lines, one for each answer of the model; what it holds is not asked for again. */
  readonly output: string;
  /** `--limit <n>`: only the first n trajectories; null = all. */
  readonly limit: number | null;
  /** `--structured <form>`: how the server is asked for JSON. */
  readonly structured: StructuredForm | "auto";
  /** `--max-attempts <n>`: the most answers to one question, refused ones included. */
  readonly maxAttempts: number;
  /** `--text-limit <n>` and `--total-limit <n>`: UTF-16 units of one text, and of all texts of a prompt; at least 100. */
  readonly textLimit: number;
  readonly totalLimit: number;
  /** `--retry-failed`: questions that used up their answers get as many again. */
  readonly retryFailed: boolean;
}

/** The options of `calibrant annotate`. */
export interface AnnotateOptions extends JudgingOptions, Endpoint {}

/** The options of `calibrant judge`. */
export interface JudgeOptions extends JudgingOptions {
  /** Null when not given, which is fine while no model has to be asked. */
  readonly baseUrl: string | null;
  readonly model: string | null;
  /** `--annotations <file>` of `calibrant annotate`; null = the column `annotations`. */
  readonly annotations: string | null;
  /** `--turns <which>`: those with an annotation, or every user turn. */
  readonly turns: "annotated" | "all";
}
