import { CalibrantError } from "../../errors.ts";
import {
  type ChatClient,
  checkedBaseUrl,
  createChatClient,
  FIXED_FIELDS,
  fixedFieldIn,
} from "../../inference/chat-client.ts";
import { createSecret } from "../../inference/secret.ts";
import { apiKeyFor, keyIn } from "./api-key.ts";
import type { AskingOptions, Endpoint } from "./asking-options.ts";

/**
 * Checks what a command that asks was given, before it reads anything.
 *
 * @throws CalibrantError `usage` when the log is standard output, has the name of another format, or a field of `--extra-body`
 *   is fixed; `option` for a bad address.
 */
export function checkAsking({
  output,
  extraBody,
  baseUrl,
  apiKeyEnv,
}: Pick<AskingOptions, "extraBody" | "apiKeyEnv"> & {
  output: string;
  baseUrl: string | null;
}): void {
  checkOutputName(output);
  const hideIn = (text: string): string =>
    createSecret(keyIn(process.env, apiKeyEnv), keyName(apiKeyEnv)).hideIn(text);
  if (baseUrl !== null) checkedBaseUrl(baseUrl, hideIn);
  const field = fixedFieldIn(extraBody);
  if (field !== null) {
    const message = `--extra-body must not set any of ${FIXED_FIELDS.join(", ")}; it sets ${field}`;
    throw new CalibrantError("usage", message, { field });
  }
}

/** Endings of formats that a reader takes the name's word for. */
const OTHER_ENDINGS = /\.(parquet|pq|arrow|arrows|feather|ipc|csv|tsv|html|md|gz)$/i;

function checkOutputName(output: string): void {
  if (output === "-") {
    throw new CalibrantError(
      "usage",
      "-o must name a file, which keeps the answers of a run that is stopped",
    );
  }
  const ending = OTHER_ENDINGS.exec(output)?.[0];
  if (ending === undefined) return;
  const message = `-o is written as JSON lines, not as ${ending}: end the name in .jsonl, got ${output}`;
  throw new CalibrantError("usage", message, { output });
}

function keyName(variable: string): string {
  return `the environment variable ${variable}`;
}

/**
 * A client with the key from the environment.
 *
 * @throws CalibrantError `usage` without a key where one is needed, or with the key in `--extra-body`; as `createChatClient`.
 */
export function openClient(options: AskingOptions & Endpoint): Promise<ChatClient> {
  const { baseUrl, model, apiKeyEnv, timeout, maxRetries, retryDelays } = options;
  const apiKey = apiKeyFor(baseUrl, apiKeyEnv, process.env);
  checkKeyApart(apiKey, options);
  return createChatClient({
    baseUrl,
    model,
    apiKey,
    apiKeyName: keyName(apiKeyEnv),
    timeoutSeconds: timeout,
    maxRetries,
    ...(retryDelays !== undefined && { retryDelays }),
    now: Date.now,
    random: Math.random,
  });
}

/** Results state the extra fields as they are given. */
function checkKeyApart(apiKey: string | null, { extraBody }: Pick<AskingOptions, "extraBody">): void {
  if (apiKey === null || !JSON.stringify(extraBody).includes(JSON.stringify(apiKey).slice(1, -1))) return;
  throw new CalibrantError("usage", "--extra-body must not hold the API key: it is written to the results");
}
