import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { BFCL, BFCL_DOMAIN_NAMES, BFCL_DOMAINS } from "../../../src/recovery/registries/bfcl.ts";
import { bfclTasks } from "../../../src/recovery/registries/bfcl-tasks.ts";
import { TAU2_RETAIL } from "../../../src/recovery/registries/tau2-retail.ts";
import { tau2RetailTasks } from "../../../src/recovery/registries/tau2-retail-tasks.ts";
import { assignScenario, supportedScenarios } from "../../../src/recovery/scenario/assign-scenario.ts";
import { checkRegistry } from "../../../src/recovery/scenario/check-registry.ts";
import { fallbackMap } from "../../../src/recovery/scenario/fallback-map.ts";
import type { ScenarioTask } from "../../../src/recovery/scenario/scenario.ts";
import type { ToolRegistry } from "../../../src/recovery/scenario/tool-registry.ts";

const DATA = fileURLToPath(new URL("../../../../shared/data/", import.meta.url));
const RETAIL = `${DATA}tau2_bench/retail/tasks.json`;
const ANSWERS = `${DATA}bfcl/possible_answer/BFCL_v4_multi_turn_base.jsonl`;
const QUESTIONS = `${DATA}bfcl/BFCL_v4_multi_turn_base.jsonl`;
const json = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const lines = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** How many tasks support each scenario; S2 and S3 are assigned to each that says so. */
function counts(tasks: readonly ScenarioTask[], { escalationTools }: ToolRegistry): Record<string, number> {
  const supported = { S1: 0, S2: 0, S3: 0 };
  for (const task of tasks)
    for (const scenario of supportedScenarios(task, { escalationTools })) {
      supported[scenario] += 1;
      assignScenario(task, scenario, seededRandom(1), { escalationTools });
    }
  return supported;
}

describe("ready registries", () => {
  it("are valid, and say on what level each alternative is", () => {
    for (const registry of [TAU2_RETAIL, BFCL, ...Object.values(BFCL_DOMAINS)]) {
      checkRegistry(registry);
      for (const { alternatives } of registry.equivalences)
        for (const { note } of alternatives) expect(note.length).toBeGreaterThan(10);
    }
    expect(TAU2_RETAIL.tools.length - (TAU2_RETAIL.addedTools?.length ?? 0)).toBe(16);
    expect(TAU2_RETAIL.addedTools).toHaveLength(5);
    expect(BFCL.tools).toHaveLength(128);
  });

  it("hold Table 8, and nothing of it without alternatives", () => {
    const full = fallbackMap(TAU2_RETAIL, { withAlternatives: true });
    const stands = (tool: string): string[] => (full[tool] ?? []).map((fallback) => fallback.tool);
    expect(stands("get_product_details")).toContain("search_product_by_name");
    expect(stands("get_item_details")).toContain("get_item_by_product_options");
    expect(stands("get_order_details")).toEqual(["get_orders_for_user"]);
    expect(stands("find_user_id_by_email")).toContain("get_user_by_order");
    expect(stands("find_user_id_by_name_zip")).toContain("get_user_by_order");
    expect(stands("check_order_item_availability")).toEqual(["get_order_details", "get_product_details"]);
    const standard = fallbackMap(TAU2_RETAIL);
    expect(
      Object.fromEntries(Object.entries(standard).map(([tool, list]) => [tool, list.map((f) => f.tool)])),
    ).toEqual({
      find_user_id_by_email: ["find_user_id_by_name_zip"],
      find_user_id_by_name_zip: ["find_user_id_by_email"],
      get_item_details: ["get_product_details"],
    });
  });
});

describe("tau2RetailTasks", () => {
  const task = (actions: object[], instructions?: object): object => ({
    id: "7",
    evaluation_criteria: { actions },
    ...(instructions && { user_scenario: { instructions } }),
  });
  const email = { name: "find_user_id_by_email" };

  it("takes the assistant's tools, and the lookups that this user can feed", () => {
    const actions = [
      email,
      { name: "get_order_details", requestor: "assistant" },
      { name: "reboot", requestor: "user" },
    ];
    expect(tau2RetailTasks([task(actions, { known_info: "You are Ann, a@b.com" })])[0]?.paths).toEqual([
      { id: "primary", tools: ["find_user_id_by_email", "get_order_details"] },
    ]);
    const known = { known_info: "Ann Lee, 12345", unknown_info: "not W1234567" };
    const lookups = (options: object, info: object = known): (string | undefined)[] | undefined =>
      tau2RetailTasks([task([email], info)], options)[0]?.paths.map((path) => path.tools[0]);
    expect(lookups({})).toEqual(["find_user_id_by_email", "find_user_id_by_name_zip"]);
    expect(lookups({ withAlternatives: true })).toHaveLength(2);
    expect(lookups({ withAlternatives: true }, { reason_for_call: "order #W1234567" })).toEqual([
      "find_user_id_by_email",
      "get_user_by_order",
    ]);
    expect(lookups({ withAlternatives: true, lookups: "any" }, { known_info: "" })).toHaveLength(3);
  });

  it("replaces neither of two lookups, and no product by an availability that is not asked for", () => {
    const both = [email, { name: "find_user_id_by_name_zip" }, { name: "get_product_details" }];
    const paths = (actions: object[]): number | undefined =>
      tau2RetailTasks([task(actions)], { withAlternatives: true })[0]?.paths.length;
    expect(paths(both)).toBe(2);
    expect(paths([{ name: "get_product_details" }, { name: "exchange_delivered_order_items" }])).toBe(3);
    expect(paths([])).toBe(0);
  });

  it("refuses other shapes, naming the task", () => {
    expect(() => tau2RetailTasks({})).toThrow("tau2 tasks must be a list of tasks, got object");
    expect(() => tau2RetailTasks([{}])).toThrow("tau2 task 0 has no id");
    expect(() => tau2RetailTasks([task([{ name: "get_flight" }])])).toThrow(
      "tau2 task 7: registry tau2-retail has no tool get_flight",
    );
  });

  it.skipIf(!existsSync(RETAIL))(
    "reads the released tasks: what each reading of equivalence lets S2 do",
    () => {
      const tasks = json(RETAIL);
      const s2 = (options: object): Record<string, number> =>
        counts(tau2RetailTasks(tasks, options), TAU2_RETAIL);
      expect(s2({})).toEqual({ S1: 114, S2: 1, S3: 111 });
      expect(s2({ lookups: "any" })).toEqual({ S1: 114, S2: 64, S3: 111 });
      expect(s2({ withAlternatives: true })).toEqual({ S1: 114, S2: 64, S3: 111 });
      expect(s2({ withAlternatives: true, lookups: "any" })).toEqual({ S1: 114, S2: 64, S3: 111 });
    },
  );
});

describe("bfclTasks", () => {
  it("reads calls over all turns and keeps out what a question takes away", () => {
    const answers = [
      {
        id: "a",
        ground_truth: [["mv(source='x',destination='y')"], ["cd('y')", "mv(source='x',destination='z')"]],
      },
      { id: "b", ground_truth: [[]] },
    ];
    expect(bfclTasks(answers)).toEqual([
      {
        taskId: "a",
        paths: [
          { id: "primary", tools: ["mv", "cd"] },
          { id: "mv->cp+rm", tools: ["cp", "rm", "cd"] },
        ],
      },
      { taskId: "b", paths: [] },
    ]);
    const questions = [{ id: "a", excluded_function: ["cp"] }, { id: "b" }];
    expect(bfclTasks(answers, { questions })[0]?.paths).toEqual([{ id: "primary", tools: ["mv", "cd"] }]);
  });

  it("refuses other shapes, naming the task", () => {
    expect(() => bfclTasks([{ id: "a" }])).toThrow(
      "BFCL answer 0 must have an id and a ground_truth of turns, got a",
    );
    expect(() => bfclTasks([{ id: "a", ground_truth: [["cd("]] }])).toThrow(/^BFCL task a: /);
    expect(() => bfclTasks([{ id: "a", ground_truth: [["fly()"]] }])).toThrow(
      "BFCL task a: registry bfcl has no tool fly",
    );
  });

  it.skipIf(!existsSync(ANSWERS))("covers the function documents, and reads the released tasks", () => {
    for (const domain of BFCL_DOMAIN_NAMES) {
      const documented = lines(`${DATA}bfcl/func_doc/${domain}.json`).map(
        (f) => (f as { name: string }).name,
      );
      expect([...BFCL_DOMAINS[domain].tools].sort()).toEqual(documented.sort());
    }
    const questions = lines(QUESTIONS);
    const tasks = bfclTasks(lines(ANSWERS), { questions });
    expect(counts(tasks, BFCL)).toEqual({ S1: 200, S2: 86, S3: 200 });
    expect(counts(bfclTasks(lines(ANSWERS)), BFCL).S2).toBe(89);
    expect(Math.max(...tasks.map(({ paths }) => paths.length))).toBe(12);
  });
});
