import { CalibrantError } from "../../../errors.ts";
import { chatError } from "../../../inference/chat-error.ts";
import type { JsonClient, JsonReply } from "../../../inference/json-client.ts";
import { fieldsOf } from "./server-dialect.ts";
import type { LogprobsMode, ServerKind } from "./server-kinds.ts";

/** What a server says of itself. */
export interface FoundServer {
  readonly kind: ServerKind | "llama.cpp";
  /** Null where it does not say. */
  readonly version: string | null;
  /** The models that it serves; empty where it does not say. */
  readonly models: readonly string[];
  /** Null where it does not say, which is the rule. */
  readonly mode: Exclude<LogprobsMode, "unknown"> | null;
}

interface Looks {
  readonly models: JsonReply;
  readonly version: JsonReply;
  readonly modelInfo: JsonReply;
  readonly props: JsonReply;
}

/**
 * Finds out what a server is: SGLang by `/get_model_info` or `/model_info`, llama.cpp's by `/props`, vLLM by `/version`, each also by
 * `owned_by` in `/v1/models`, which passes a gateway that hides the rest.
 *
 * @param wanted - takes the server for that kind, whatever it says.
 * @throws CalibrantError `io` for a server that cannot be reached, wants a key, or is none of these, with what was found; `option` for a
 *   vLLM that is set to give logits.
 */
export async function detectServer(
  client: JsonClient,
  wanted: ServerKind | "auto",
  signal: AbortSignal,
): Promise<FoundServer> {
  const look = (path: string): Promise<JsonReply> => client.get(path, signal);
  const [models, version, oldInfo, newInfo, props] = await Promise.all([
    look("/v1/models"),
    look("/version"),
    look("/get_model_info"),
    look("/model_info"),
    look("/props"),
  ]);
  checkLetIn(models, client.baseUrl);
  const looks: Looks = { models, version, modelInfo: oldInfo.status === 200 ? oldInfo : newInfo, props };
  const kind = wanted === "auto" ? kindOf(looks, client.baseUrl) : wanted;
  const own = kind === "sglang" ? await sglangVersion(look) : textIn(looks.version, "version");
  return {
    kind,
    version: own === null ? null : client.hideInAnswer(own),
    models: modelIds(models).map(client.hideInAnswer),
    mode: kind === "vllm" ? await vllmMode(look, client.baseUrl) : null,
  };
}

function checkLetIn({ status }: JsonReply, url: string): void {
  if (status !== 401 && status !== 403) return;
  const message = `${url}/v1/models: HTTP ${status}: the server wants an API key, or another one`;
  throw chatError(message, { reason: `HTTP ${status}`, fatal: true, attempts: 1 });
}

function kindOf(looks: Looks, url: string): FoundServer["kind"] {
  const { models, version, modelInfo, props } = looks;
  const owners = new Set(modelEntries(models).map(({ owned_by }) => owned_by));
  if (owners.has("sglang") || textIn(modelInfo, "model_path") !== null) return "sglang";
  if (owners.has("llamacpp") || answered(props)?.default_generation_settings !== undefined)
    return "llama.cpp";
  if (owners.has("vllm") || textIn(version, "version") !== null) return "vllm";
  const said = owners.size === 0 ? replyWords(models) : `owned by ${[...owners].join(", ")}`;
  throw new CalibrantError(
    "io",
    `${url} is neither vLLM nor SGLang (/v1/models: ${said}; /version: ${replyWords(version)}; /get_model_info: ${replyWords(modelInfo)}): give the address before /v1, or say what it is with kind (--server-kind)`,
    { url },
  );
}

function replyWords({ status, json }: JsonReply): string {
  return status === 200 ? (json === undefined ? "no JSON" : "other JSON") : `HTTP ${status}`;
}

async function sglangVersion(look: (path: string) => Promise<JsonReply>): Promise<string | null> {
  for (const path of ["/get_server_info", "/server_info"]) {
    const version = textIn(await look(path), "version");
    if (version !== null) return version;
  }
  return null;
}

/** Only a vLLM in development mode tells its settings. */
async function vllmMode(
  look: (path: string) => Promise<JsonReply>,
  url: string,
): Promise<FoundServer["mode"]> {
  const config = fieldsOf(answered(await look("/server_info?config_format=json"))?.vllm_config);
  const mode = fieldsOf(config?.model_config)?.logprobs_mode;
  if (mode === "raw_logprobs") return "raw";
  if (mode === "processed_logprobs") return "processed";
  if (typeof mode !== "string") return null;
  throw new CalibrantError(
    "option",
    `${url} gives logits, not log-probs: start vLLM with --logprobs-mode raw_logprobs, got ${mode}`,
    { mode },
  );
}

/** The fields of a reply that is an answer. */
function answered({ status, json }: JsonReply): Readonly<Record<string, unknown>> | null {
  return status === 200 ? fieldsOf(json) : null;
}

function textIn(reply: JsonReply, name: string): string | null {
  const text = answered(reply)?.[name];
  return typeof text === "string" ? text : null;
}

function modelEntries(models: JsonReply): Readonly<Record<string, unknown>>[] {
  const data: unknown = answered(models)?.data;
  return (Array.isArray(data) ? (data as unknown[]) : []).map(fieldsOf).filter((entry) => entry !== null);
}

function modelIds(models: JsonReply): string[] {
  return modelEntries(models).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}
