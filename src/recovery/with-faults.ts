import { checkOptionNames } from "../data/check-option-names.ts";
import { CalibrantError } from "../errors.ts";
import { FaultInjector, type FaultInjectorOptions } from "./fault-injector.ts";
import { ToolFaultError } from "./tool-fault-error.ts";

/** How a tool tells of an explicit fault: it returns the text that the agent is to read, or throws it. */
export type FaultDelivery = "return" | "throw";

/** A tool as an agent's loop calls it: its arguments first, whatever else the loop hands over after them. */
// biome-ignore lint/suspicious/noExplicitAny: any function is a tool; its own types are kept by ToolsWithFaults.
export type ToolFunction = (...args: any[]) => unknown;

/** Tools whose calls may meet faults. They are asynchronous. */
export type ToolsWithFaults<Tools extends Readonly<Record<string, ToolFunction>>> = {
  readonly [Name in keyof Tools]: (
    ...args: Parameters<Tools[Name]>
  ) => Promise<Awaited<ReturnType<Tools[Name]>> | string>;
};

/** Tools with faults around them, and the injector that decides. */
export interface InjectedTools<Tools> {
  readonly tools: Tools;
  /** Has the injection log and the counts, and starts the next episode. */
  readonly injector: FaultInjector;
}

/**
 * Puts faults around tools that are plain functions by name. An explicit fault or a block never calls the tool and comes back as text
 * (`deliver: "return"`, the default: the paper's `tool_call(name, args) → response`) or is thrown as a {@link ToolFaultError}. A silent fault
 * calls the tool once and changes what comes back; text that holds JSON is changed as JSON. Errors of a tool pass.
 *
 * @param injection - an injector, or the options of a new one.
 * @throws CalibrantError `option` for an option of the injector that cannot be, or a tool that is no function.
 *
 * @example
 * ```ts
 * import { noiseProfile, withFaults } from "calibrant/recovery";
 * const plain = { getOrder: async (args: { id: string }) => ({ id: args.id, status: "delivered" }) };
 * const { tools, injector } = withFaults(plain, { seed: 1, noise: noiseProfile({ clean: 0, stale: 1 }) });
 * console.log(await tools.getOrder({ id: "W7" })); // { id: 'W7', status: 'processed' }
 * console.log(injector.log[0]?.changes[0]?.pointer); // /status
 * ```
 */
export function withFaults<Tools extends Readonly<Record<string, ToolFunction>>>(
  tools: Tools,
  injection: FaultInjector | FaultInjectorOptions,
  delivery: { readonly deliver?: FaultDelivery } = {},
): InjectedTools<ToolsWithFaults<Tools>> {
  const deliver = checkedDelivery(tools, delivery, "return");
  const injector = injection instanceof FaultInjector ? injection : new FaultInjector(injection);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    if (typeof tool !== "function")
      throw new CalibrantError("option", `tools: ${name} must be a function, got ${typeof tool}`, { name });
    return [name, callWithFaults(name, tool, injector, deliver)];
  });
  return { tools: Object.fromEntries(wrapped) as ToolsWithFaults<Tools>, injector };
}

function callWithFaults(
  name: string,
  tool: ToolFunction,
  injector: FaultInjector,
  deliver: FaultDelivery,
): ToolFunction {
  return async (...args) => {
    const { fault, response, corrupt } = injector.begin(name);
    if (fault === null || response === null) return corrupt(await tool(...args));
    if (deliver === "return") return response.text;
    throw new ToolFaultError(response.text, fault, name, response.status);
  };
}

/**
 * The delivery that was asked for.
 *
 * @throws CalibrantError `option` for another one, an unknown option, or tools that are no object.
 */
export function checkedDelivery(
  tools: unknown,
  options: { readonly deliver?: FaultDelivery },
  otherwise: FaultDelivery,
): FaultDelivery {
  if (typeof tools !== "object" || tools === null || Array.isArray(tools))
    throw new CalibrantError("option", `tools must be an object of tools by name, got ${String(tools)}`);
  checkOptionNames(options, ["deliver"], "withFaults");
  const { deliver = otherwise } = options;
  if (deliver === "return" || deliver === "throw") return deliver;
  throw new CalibrantError("option", `deliver must be return or throw, got ${String(deliver)}`, { deliver });
}
