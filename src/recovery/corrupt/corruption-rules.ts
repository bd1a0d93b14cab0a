import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import { plainName } from "./field-words.ts";

/**
 * Lifecycles of states: ordered lists of stages, the first stage first, for all fields that are named as a state; or lists by
 * the name or JSON Pointer of a field, one or several for each.
 */
export type Lifecycles =
  | readonly (readonly string[])[]
  | Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>;

/**
 * What silent faults may change. A field is given by its name, in any spelling (`order_items`, `orderItems`), or by a JSON
 * Pointer from the root of the result, in which `*` is any key and any index: `/items/*` and below.
 */
export interface CorruptionRules {
  /** The fields that decisions hang on, instead of those that are known by name. Each stands for all that it holds. */
  readonly criticalFields?: readonly string[];
  /** More fields that are never touched nor removed, each with all that it holds. */
  readonly protectedFields?: readonly string[];
  /** The lifecycles of states, instead of the default ones. */
  readonly lifecycles?: Lifecycles;
}

/**
 * Checks rules: known options, lists of names and pointers, lifecycles of two and more different stages.
 *
 * @throws CalibrantError `option` for the first thing that is wrong.
 */
export function checkCorruptionRules(rules: CorruptionRules, owner = "the corruption rules"): void {
  checkOptionNames(rules, ["criticalFields", "protectedFields", "lifecycles"], owner);
  checkFields(rules.criticalFields, "criticalFields");
  checkFields(rules.protectedFields, "protectedFields");
  const { lifecycles } = rules;
  if (lifecycles === undefined) return;
  if (Array.isArray(lifecycles)) {
    checkLists(lifecycles, "lifecycles");
    return;
  }
  if (lifecycles === null || typeof lifecycles !== "object")
    throw refusal("lifecycles must be lists of stages, or an object of them by field", lifecycles);
  for (const [field, stages] of Object.entries(lifecycles)) {
    checkField(field, "lifecycles");
    const name = `lifecycles[${JSON.stringify(field)}]`;
    if (Array.isArray(stages) && Array.isArray(stages[0])) checkLists(stages, name);
    else checkStages(stages, name);
  }
}

/**
 * Reads rules from JSON, where they are named `critical_fields`, `protected_fields` and `lifecycles`.
 *
 * @throws CalibrantError `option` for another name, and for rules that {@link checkCorruptionRules} refuses.
 */
export function readCorruptionRules(value: unknown): CorruptionRules {
  const wire = value as Readonly<Record<string, unknown>>;
  checkOptionNames(wire, ["critical_fields", "protected_fields", "lifecycles"], "the corruption rules");
  const rules = {
    ...(wire.critical_fields === undefined ? {} : { criticalFields: wire.critical_fields }),
    ...(wire.protected_fields === undefined ? {} : { protectedFields: wire.protected_fields }),
    ...(wire.lifecycles === undefined ? {} : { lifecycles: wire.lifecycles }),
  } as CorruptionRules;
  checkCorruptionRules(rules);
  return rules;
}

function checkFields(fields: unknown, name: string): void {
  if (fields === undefined) return;
  if (!Array.isArray(fields)) throw refusal(`${name} must be a list of names and JSON Pointers`, fields);
  fields.forEach((field: unknown, i) => {
    checkField(field, `${name}[${i}]`);
  });
}

function checkField(field: unknown, name: string): void {
  if (typeof field !== "string" || field === "")
    throw refusal(`${name} must name a field, or be a JSON Pointer that begins with /`, field);
  if (field.startsWith("/") && /~(?![01])/.test(field))
    throw refusal(`${name} must be a JSON Pointer, in which ~ is ~0 and / is ~1`, field);
}

function checkLists(lists: readonly unknown[], name: string): void {
  lists.forEach((stages, i) => {
    checkStages(stages, `${name}[${i}]`);
  });
}

function checkStages(stages: unknown, name: string): void {
  if (!Array.isArray(stages) || stages.length < 2)
    throw refusal(`${name} must be a list of two or more stages, the first stage first`, stages);
  const seen = new Set<string>();
  stages.forEach((stage: unknown, i) => {
    if (typeof stage !== "string" || !/[\p{L}\p{N}]/u.test(stage))
      throw refusal(`${name}[${i}] must be the name of a stage`, stage);
    if (seen.has(plainName(stage))) throw refusal(`${name} must hold each stage once`, stage);
    seen.add(plainName(stage));
  });
}

function refusal(what: string, value: unknown): CalibrantError {
  const shown = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "bigint" ? String(inner) : inner,
  );
  return new CalibrantError("option", `${what}, got ${shown}`, { value });
}
