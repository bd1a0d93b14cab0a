import { FaultInjector, type FaultInjectorOptions } from "./fault-injector.ts";
import { ToolFaultError } from "./tool-fault-error.ts";
import { checkedDelivery, type FaultDelivery, type InjectedTools } from "./with-faults.ts";

/** What is read of a tool of the Vercel AI SDK (versions 5 and 6); everything else is kept. */
export interface AiSdkTool {
  /** Runs the tool. */
  // biome-ignore lint/suspicious/noExplicitAny: the input and output types of a tool are its own and are kept.
  readonly execute?: ((input: any, options: any) => any) | undefined;
}

/**
 * Puts faults around the tools of the Vercel AI SDK (`tool({ inputSchema, execute })`, versions 5 and 6): the same set of tools with another
 * `execute`, for `generateText`, `streamText` and agents. Tools without `execute` (run by the client or the provider) stay as they are.
 * An explicit fault or a block is thrown as a {@link ToolFaultError}, which the SDK hands to the model as a tool error (`deliver: "throw"`, the
 * default), or returned as the tool's output. Of a tool that yields preliminary results the last, which is the result, is changed.
 *
 * @param injection - an injector, or the options of a new one.
 * @throws CalibrantError `option` for an option of the injector that cannot be.
 */
export function withAiSdkFaults<Tools extends Readonly<Record<string, AiSdkTool>>>(
  tools: Tools,
  injection: FaultInjector | FaultInjectorOptions,
  delivery: { readonly deliver?: FaultDelivery } = {},
): InjectedTools<Tools> {
  const deliver = checkedDelivery(tools, delivery, "throw");
  const injector = injection instanceof FaultInjector ? injection : new FaultInjector(injection);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool;
    if (typeof execute !== "function") return [name, tool];
    return [name, { ...tool, execute: executeWithFaults(name, execute.bind(tool), injector, deliver) }];
  });
  return { tools: Object.fromEntries(wrapped) as Tools, injector };
}

type Execute = NonNullable<AiSdkTool["execute"]>;

/** Not asynchronous itself: a tool that yields results must go on returning an iterable. */
function executeWithFaults(
  name: string,
  execute: Execute,
  injector: FaultInjector,
  deliver: FaultDelivery,
): Execute {
  return (input, options) => {
    const { fault, response, corrupt } = injector.begin(name);
    if (fault !== null && response !== null) {
      if (deliver === "return") return response.text;
      throw new ToolFaultError(response.text, fault, name, response.status);
    }
    const output: unknown = execute(input, options);
    if (isAsyncIterable(output)) return corruptLast(output, corrupt);
    return isPromiseLike(output) ? output.then(corrupt) : corrupt(output);
  };
}

async function* corruptLast(
  outputs: AsyncIterable<unknown>,
  corrupt: (output: unknown) => unknown,
): AsyncGenerator<unknown> {
  let pending: readonly [unknown] | null = null;
  for await (const output of outputs) {
    if (pending !== null) yield pending[0];
    pending = [output];
  }
  if (pending !== null) yield corrupt(pending[0]);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
