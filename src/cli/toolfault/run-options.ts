import type { ColumnRenames } from "../../data/check-columns.ts";
import type { AskingOptions, Endpoint } from "../asking/asking-options.ts";

/** The options of `calibrant toolfault run`. */
export interface RunOptions extends AskingOptions, Endpoint {
  /** The dataset: files or glob patterns. */
  readonly files: readonly string[];
  /** `--columns needed=present,…` */
  readonly columns: ColumnRenames;
  /** `-o, --output <file>`: results as JSON lines; answers that it holds are not asked for again. */
  readonly output: string;
  /** `--logprobs`: keep the log-probs of the answers. */
  readonly logprobs: boolean;
  /** `--json-object`: ask the server for a JSON object. */
  readonly jsonObject: boolean;
  /** `--limit <n>`: only the first n items; null = all. */
  readonly limit: number | null;
  /** `--ids <id,…>`: only these items; null = all. */
  readonly ids: readonly string[] | null;
}
