import { resolve } from "node:path";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";
import { writeErrorLine } from "../error-line.ts";
import { onEachSignal } from "../on-signals.ts";
import type { Backend } from "./backend.ts";
import { childBackend } from "./child-backend.ts";
import { type EpisodePlan, EpisodeRecorder } from "./episode-recorder.ts";
import { episodePlanner } from "./episode-settings.ts";
import { EpisodeStore } from "./episode-store.ts";
import { httpFront } from "./http-front.ts";
import type { InjectFlags } from "./inject-flags.ts";
import { InjectionLog } from "./injection-log.ts";
import { loadMcpValidator } from "./load-mcp.ts";
import { runCheck } from "./run-check.ts";
import { failureOf, openSession, type Session, type SessionOptions } from "./session.ts";
import { stdioFront } from "./stdio-front.ts";
import { parseHeaders, urlBackend } from "./url-backend.ts";

/** Opens the session of a client; `name` is the client's own name for its episode, or null. */
type OpenSession = (front: McpTransport, name: string | null) => Promise<Session>;

/**
 * Runs the proxy until its client leaves (stdio) or it is told to stop.
 *
 * @param server - the command that starts the server; empty with `--url`.
 * @throws CalibrantError `usage` or `option` for options that cannot be, `io` when the server died or a file cannot be written.
 */
export async function injectCommand(server: readonly string[], flags: InjectFlags): Promise<void> {
  const createBackend = backendOf(server, flags);
  checkFiles(flags);
  const plan = episodePlanner(flags);
  const log = flags.log === undefined ? null : new InjectionLog(flags.log);
  const createCheck = await schemaChecks();
  const open = sessionOpener(flags, { createBackend, plan, log, createCheck });
  if (flags.http === undefined) await overStdio(open);
  else await overHttp(flags.http, flags, open, log);
  if (log?.failure) throw log.failure;
}

/** What the sessions of a run have in common. */
interface SessionParts {
  readonly createBackend: () => Promise<Backend>;
  readonly plan: (id: string) => EpisodePlan;
  readonly log: InjectionLog | null;
  readonly createCheck: SessionOptions["createCheck"];
}

/** Standard output carries the protocol, and the two files have lines of different kinds. */
function checkFiles({ output, log }: InjectFlags): void {
  for (const path of [output, log])
    if (path === "-") throw new CalibrantError("usage", "-o and --log take the name of a file, got -");
  if (output !== undefined && log !== undefined && resolve(output) === resolve(log))
    throw new CalibrantError("usage", `-o and --log must be two files, got ${log} for both`);
}

/** Checks by JSON Schema; a check is made once a schema. */
async function schemaChecks(): Promise<SessionOptions["createCheck"]> {
  const { AjvJsonSchemaValidator } = await loadMcpValidator();
  const validators = new AjvJsonSchemaValidator();
  const made = new WeakMap<object, (value: unknown) => boolean>();
  return (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    const validate = validators.getValidator(schema);
    const check = (value: unknown): boolean => validate(value).valid;
    made.set(schema, check);
    return check;
  };
}

async function overStdio(open: OpenSession): Promise<void> {
  const session = await open(await stdioFront(), null);
  const forget = stopOnSignals(() => [session]);
  try {
    await session.start();
    const failure = failureOf(await session.done);
    if (failure !== null) throw failure;
  } finally {
    forget();
  }
}

async function overHttp(
  port: number,
  flags: InjectFlags,
  open: OpenSession,
  log: InjectionLog | null,
): Promise<void> {
  const { host, allowRemote, idle, quiet } = flags;
  const front = await httpFront({ port, host, allowRemote, idleMs: idle * 1000, open });
  if (!quiet) writeErrorLine(`inject: listening on ${front.url}`);
  stopOnSignals(() => front.sessions, { close: front.close, log });
  // The listening server keeps the process until a signal ends it.
  await new Promise(() => undefined);
}

/**
 * Lets a signal end all sessions as if their clients had left, and then the process with the status that shells expect; 1 where an
 * episode could not be written. A second signal ends it at once: journals keep what was not written.
 */
function stopOnSignals(
  sessions: () => readonly Session[],
  {
    close = () => undefined,
    log = null,
  }: { readonly close?: () => void; readonly log?: InjectionLog | null } = {},
): () => void {
  let isStopping = false;
  return onEachSignal((_name, status) => {
    if (isStopping) process.exit(status);
    isStopping = true;
    const all = [...sessions()];
    for (const session of all) {
      session.stop("signal");
      session.hurry();
    }
    Promise.allSettled(all.map((session) => session.done)).then((ends) => {
      close();
      const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      for (const error of failed) writeErrorLine(errorMessage(error));
      process.exit(failed.length > 0 || log?.failure ? 1 : status);
    });
  });
}

/** What makes the server's side of a session. */
function backendOf(server: readonly string[], { url, header = [] }: InjectFlags): () => Promise<Backend> {
  const usage = (message: string): CalibrantError => new CalibrantError("usage", message);
  if (url === undefined) {
    if (server.length === 0)
      throw usage(
        "inject needs a server: calibrant inject [options] -- COMMAND, or --url http://HOST:PORT/mcp",
      );
    if (header.length > 0) throw usage("--header goes with --url");
    return () => childBackend(server);
  }
  if (server.length > 0) throw usage(`inject takes one server: --url or a command, got both: ${server[0]}`);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usage(`--url must be an http or https address, got ${url}`);
  const headers = parseHeaders(header);
  return () => urlBackend(new URL(url), headers);
}

function sessionOpener(flags: InjectFlags, parts: SessionParts): OpenSession {
  const { createBackend, plan, log, createCheck } = parts;
  const store = flags.output === undefined ? null : new EpisodeStore(flags.output);
  const { check, checkTimeout, episode, quiet } = flags;
  if (store === null && !flags.quiet) writeErrorLine("inject: without -o no episodes are recorded");
  let count = 0;
  return async (front, name) => {
    count += 1;
    const recorder = new EpisodeRecorder({
      store,
      id: name ?? (episode === undefined || count === 1 ? (episode ?? null) : `${episode}-${count}`),
      unsavedId: `episode-${count}`,
      plan,
      onInjection(record) {
        if (!quiet) writeErrorLine(`inject: call ${record.call} of ${record.tool} met ${record.fault}`);
        log?.write(record);
      },
      check: check === undefined ? null : (row) => runCheck(check, row, checkTimeout * 1000),
      maxRecordedBytes: flags.maxRecorded,
    });
    return openSession({
      front,
      backend: await createBackend(),
      recorder,
      createCheck,
      writeAtOnce: check === undefined,
      keepFront: flags.http !== undefined,
    });
  };
}
