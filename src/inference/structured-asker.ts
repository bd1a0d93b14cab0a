import type { ChatAnswer } from "./chat-answer.ts";
import type { ChatClient, ChatRequest, JsonSchemaFormat } from "./chat-client.ts";
import { chatErrorDetails } from "./chat-error.ts";

/** How strictly a server is asked for JSON (the field `response_format`), the strictest first. */
export const STRUCTURED_FORMS = ["json_schema", "json_object", "none"] as const;
export type StructuredForm = (typeof STRUCTURED_FORMS)[number];

/** An answer, and how it was asked for. */
export interface StructuredAnswer {
  readonly answer: ChatAnswer;
  readonly form: StructuredForm;
}

/** Asks for JSON as strictly as the server can. */
export interface StructuredAsker {
  /** @throws CalibrantError as `ChatClient.complete`; the reason of the signal that aborted. */
  ask(
    request: Omit<ChatRequest, "responseFormat">,
    format: JsonSchemaFormat,
    signal: AbortSignal,
    softStop?: AbortSignal,
  ): Promise<StructuredAnswer>;
}

/** Options of {@link createStructuredAsker}. */
export interface StructuredAskerOptions {
  /** `auto` begins with `json_schema` and goes down when the server refuses; a form is kept to. */
  readonly mode: StructuredForm | "auto";
  /** Told once for every form that is given up, with the server's words. */
  readonly onRefused?: (form: StructuredForm, next: StructuredForm, why: string) => void;
}

/** A server that knows the field answers later than it refuses it: longer than this nobody waits for the first question. */
const PROBE_MS = 2000;

/**
 * Creates a {@link StructuredAsker}.
 *
 * With `auto` the first question goes ahead for up to two seconds, so that a server which refuses the form does not refuse
 * every question on the way. A question that is refused is asked again in the next form. Words about the format give up a form
 * for the whole run; a refusal without them (HTTP 400 or 422) only while the form has no answer yet, and only when the same
 * question is answered in the next form: it may be the question that is wrong.
 */
export function createStructuredAsker(client: ChatClient, options: StructuredAskerOptions): StructuredAsker {
  const { mode, onRefused } = options;
  let current: StructuredForm = mode === "auto" ? "json_schema" : mode;
  const answered = new Set<StructuredForm>();
  const lower = (to: StructuredForm, why: string): void => {
    if (STRUCTURED_FORMS.indexOf(to) <= STRUCTURED_FORMS.indexOf(current)) return;
    onRefused?.(current, to, why);
    current = to;
  };
  const askDown: StructuredAsker["ask"] = async (request, format, signal, softStop) => {
    let refused: { readonly error: Error } | null = null;
    for (let form = current; ; ) {
      try {
        const question = { ...request, responseFormat: fieldOf(form, format) };
        const answer = await client.complete(question, signal, softStop);
        answered.add(form);
        if (refused !== null) lower(form, refused.error.message);
        return { answer, form };
      } catch (error) {
        const next = STRUCTURED_FORMS[STRUCTURED_FORMS.indexOf(form) + 1];
        const refusal = mode === "auto" ? refusalIn(error) : null;
        if (next === undefined || refusal === null) throw error;
        if (refusal === "format") lower(next, (error as Error).message);
        else if (answered.has(form)) throw error;
        else refused ??= { error: error as Error };
        form = next;
      }
    }
  };
  let probe: Promise<void> | null = mode === "auto" ? null : Promise.resolve();
  return {
    async ask(request, format, signal, softStop) {
      if (probe !== null) {
        await probe;
        return askDown(request, format, signal, softStop);
      }
      const first = askDown(request, format, signal, softStop);
      probe = settledWithin(first, PROBE_MS);
      return first;
    },
  };
}

function fieldOf(
  form: StructuredForm,
  format: JsonSchemaFormat,
): NonNullable<ChatRequest["responseFormat"]> | null {
  return form === "json_schema" ? format : form === "json_object" ? form : null;
}

const FORMAT_WORDS =
  /response[_ ]?format|json[_ ](schema|object|mode)|structured[_ ]?output|guided[_ ]|grammar|outlines/i;

/** Whether a failure is about the format by its words, may be about it (`maybe`), or is about something else (null). */
function refusalIn(error: unknown): "format" | "maybe" | null {
  const details = chatErrorDetails(error);
  const status = /^HTTP (400|404|415|422|500|501)$/.exec(details?.reason ?? "")?.[1];
  if (status === undefined) return null;
  if (FORMAT_WORDS.test((error as Error).message)) return "format";
  return status === "400" || status === "422" ? "maybe" : null;
}

function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const settled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}
