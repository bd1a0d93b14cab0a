import { setTimeout as delay } from "node:timers/promises";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { FaultProxy, type FaultProxyOptions, type ProxyEnd } from "../../recovery/mcp/fault-proxy.ts";
import type { McpTransport } from "../../recovery/mcp/mcp-message.ts";
import { writeErrorLine } from "../error-line.ts";
import type { Backend } from "./backend.ts";
import type { EpisodeRecorder } from "./episode-recorder.ts";
import type { EpisodeEnd } from "./episode-row.ts";

/** How long a client has to ask something of a server that is gone, and so to hear why, in milliseconds. */
const LAST_WORDS_MS = 500;

/** A client, a server, the proxy between them, and the episode that they make. */
export interface SessionOptions {
  readonly front: McpTransport;
  readonly backend: Backend;
  readonly recorder: EpisodeRecorder;
  readonly createCheck: NonNullable<FaultProxyOptions["createCheck"]>;
  /** Whether the episode can be written while the server is still shutting down; not when a check looks at what it left. */
  readonly writeAtOnce: boolean;
  /** Whether the front stays open, to tell later requests why the server is gone. */
  readonly keepFront: boolean;
}

/** A running {@link openSession}. */
export interface Session {
  /** Starts both ends. */
  start(): Promise<void>;
  /** Ends it, as if the client had gone; the first end counts. */
  stop(ended: EpisodeEnd): void;
  /** Tells a server that is still shutting down to hurry. */
  hurry(): void;
  /** Fulfilled when all is closed and written, with what ended it; rejected when it could not be written. */
  readonly done: Promise<ProxyEnd>;
}

/** Puts the proxy between a client and a server, records the episode, and closes what is left when a side goes. */
export function openSession(options: SessionOptions): Session {
  const { front, backend, recorder, createCheck, writeAtOnce, keepFront } = options;
  let isOver = false;
  let stop: (end: ProxyEnd) => void = () => undefined;
  const stopped = new Promise<ProxyEnd>((resolve) => {
    stop = resolve;
  });
  const proxy = new FaultProxy({
    client: front,
    server: backend.transport,
    begin: () => recorder.begin(),
    onCall: (call) => recorder.record(call),
    onResult: (call) => recorder.record(call),
    createCheck,
    describeEnd: () => backend.describeEnd(),
    onError: (error) => {
      if (!isOver) writeErrorLine(`inject: ${errorMessage(error)}`);
    },
  });
  const close = async (end: ProxyEnd): Promise<ProxyEnd> => {
    isOver = true;
    recorder.end(end.by === "failure" ? "signal" : end.by);
    const staysOpen = keepFront && end.by === "server";
    if (end.by !== "client" && !staysOpen) await Promise.race([stopped, delay(LAST_WORDS_MS)]);
    const written = writeAtOnce ? recorder.finish() : null;
    await Promise.allSettled([written, backend.transport.close()]);
    if (!staysOpen) await front.close().catch(() => undefined);
    await (written ?? recorder.finish());
    return end;
  };
  return {
    start: () => proxy.start(),
    stop(ended) {
      recorder.end(ended);
      stop({ by: "client", reason: "the proxy was told to stop" });
    },
    hurry: () => backend.terminate(),
    done: Promise.race([proxy.ended, stopped]).then(close),
  };
}

/** The end of a session as a failure of the command; null when the client simply left. */
export function failureOf({ by, reason }: ProxyEnd): CalibrantError | null {
  return by === "client" ? null : new CalibrantError("io", reason);
}
