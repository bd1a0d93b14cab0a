import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRegistry } from "../../../src/recovery/scenario/check-registry.ts";
import { fallbackMap } from "../../../src/recovery/scenario/fallback-map.ts";
import { readRegistry } from "../../../src/recovery/scenario/read-registry.ts";
import { taskPaths } from "../../../src/recovery/scenario/task-paths.ts";
import type { ToolRegistry } from "../../../src/recovery/scenario/tool-registry.ts";

const SHOP: ToolRegistry = {
  name: "shop",
  tools: ["email", "name", "order", "details", "list", "open", "cancel", "human"],
  addedTools: ["order"],
  escalationTools: ["human"],
  equivalences: [
    {
      tool: "email",
      alternatives: [
        { tools: ["name"], note: "by name" },
        { tools: ["order"], note: "by order" },
      ],
    },
    { tool: "details", alternatives: [{ tools: ["list", "open"], note: "one by one" }] },
    { tool: "order", alternatives: [{ tools: ["email"], note: "by e-mail" }] },
  ],
};
const ids = (tools: string[], options = {}): unknown[] =>
  taskPaths(tools, SHOP, options).map((path) => [path.id, path.tools.join(" ")]);

describe("taskPaths", () => {
  it("puts the primary path first and replaces in every combination, the last tool fastest", () => {
    expect(ids(["email", "details", "cancel", "email"], { withAlternatives: true })).toEqual([
      ["primary", "email details cancel"],
      ["details->list+open", "email list open cancel"],
      ["email->name", "name details cancel"],
      ["email->name, details->list+open", "name list open cancel"],
      ["email->order", "order details cancel"],
      ["email->order, details->list+open", "order list open cancel"],
    ]);
  });

  it("leaves out added tools and those that a task cannot use, as stand-ins only", () => {
    expect(ids(["email"])).toEqual([
      ["primary", "email"],
      ["email->name", "name"],
    ]);
    expect(ids(["email", "name"], { withAlternatives: true, without: ["name", "email"] })).toEqual([
      ["primary", "email name"],
      ["email->order", "order name"],
    ]);
    expect(ids(["details"], { without: ["open"] })).toEqual([["primary", "details"]]);
  });

  it("counts the same tools once and needs no path for no tools", () => {
    expect(ids(["email", "name"])).toEqual([
      ["primary", "email name"],
      ["email->name", "name"],
    ]);
    expect(ids([])).toEqual([]);
  });

  it("holds for any choice of tools: distinct sets, all known, the primary one the tools themselves", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...SHOP.tools), { minLength: 1 }),
        fc.boolean(),
        (tools, withAlternatives) => {
          const paths = taskPaths(tools, SHOP, { withAlternatives });
          expect(paths[0]).toEqual({ id: "primary", tools: [...new Set(tools)] });
          const sets = paths.map((path) => [...path.tools].sort().join());
          expect(new Set(sets).size).toBe(sets.length);
          expect(new Set(paths.map(({ id }) => id)).size).toBe(paths.length);
          if (!withAlternatives && !tools.includes("order"))
            expect(paths.some((path) => path.tools.includes("order"))).toBe(false);
        },
      ),
    );
  });

  it("refuses unknown tools and too many combinations", () => {
    expect(() => taskPaths(["cancle"], SHOP)).toThrow(
      "registry shop has no tool cancle, did you mean cancel?",
    );
    expect(() => taskPaths(["email", "details"], SHOP, { limit: 3 })).toThrow(
      "the equivalents of email, details give 4 paths, more than limit 3",
    );
    expect(() => taskPaths(["email"], SHOP, { alternatives: true } as object)).toThrow(
      "taskPaths has no option alternatives",
    );
  });
});

describe("fallbackMap", () => {
  it("lists the stand-ins of each tool that is there, one entry for each of several used together", () => {
    const details = [
      { tool: "list", note: "with open: one by one" },
      { tool: "open", note: "with list: one by one" },
    ];
    expect(fallbackMap(SHOP)).toEqual({ email: [{ tool: "name", note: "by name" }], details });
    expect(fallbackMap(SHOP, { withAlternatives: true })).toEqual({
      email: [
        { tool: "name", note: "by name" },
        { tool: "order", note: "by order" },
      ],
      details,
      order: [{ tool: "email", note: "by e-mail" }],
    });
  });
});

describe("checkRegistry and readRegistry", () => {
  const wire = {
    name: "shop",
    tools: SHOP.tools,
    added_tools: SHOP.addedTools,
    escalation_tools: SHOP.escalationTools,
    equivalences: SHOP.equivalences,
  };

  it("reads the wire form, and builds paths from required tools", () => {
    checkRegistry(SHOP);
    expect(readRegistry(wire)).toEqual(SHOP);
    const tasks = [
      { task_id: "t1", paths: [{ id: "x", tools: ["email"] }, { tools: ["name"] }] },
      { task_id: "t2", required_tools: ["email", "cancel"] },
    ];
    expect(readRegistry({ ...wire, tasks }, { withAlternatives: true }).tasks).toEqual([
      { taskId: "t1", paths: [{ id: "x", tools: ["email"] }, { tools: ["name"] }] },
      { taskId: "t2", paths: taskPaths(["email", "cancel"], SHOP, { withAlternatives: true }) },
    ]);
    expect(readRegistry({ tools: ["a"] })).toEqual({
      name: "registry",
      tools: ["a"],
      addedTools: [],
      escalationTools: [],
      equivalences: [],
    });
  });

  it.each<[string, object, string]>([
    ["no tools", { tools: undefined }, "shop.json: tools must be a list, got nothing"],
    ["a tool twice", { tools: ["a", "a"] }, "tools name a twice"],
    [
      "an unknown key",
      { task: [] },
      "tools, added_tools, escalation_tools, equivalences, tasks, but not task",
    ],
    [
      "an unknown stand-in",
      { equivalences: [{ tool: "email", alternatives: [{ tools: ["nam"] }] }] },
      "registry shop, alternatives of email: nam is not among its tools",
    ],
    [
      "itself",
      { equivalences: [{ tool: "email", alternatives: [{ tools: ["email"] }] }] },
      "alternatives of email: a tool cannot stand in for itself",
    ],
    [
      "a human",
      { equivalences: [{ tool: "email", alternatives: [{ tools: ["human"] }] }] },
      "an escalation tool is no equivalent, got human",
    ],
    [
      "no stand-in",
      { equivalences: [{ tool: "email", alternatives: [{ tools: [] }] }] },
      "alternatives of email: each needs at least one tool, got []",
    ],
    [
      "two entries",
      {
        equivalences: [
          { tool: "email", alternatives: [] },
          { tool: "email", alternatives: [] },
        ],
      },
      "two entries of equivalences for email",
    ],
    [
      "an unknown escalation tool",
      { escalation_tools: ["boss"] },
      "registry shop, escalation tools: boss is not among its tools",
    ],
    [
      "an unknown tool in a path",
      { tasks: [{ task_id: "t1", paths: [{ tools: ["x"] }] }] },
      "registry shop, task t1: x is not among its tools",
    ],
    [
      "an unknown required tool",
      { tasks: [{ task_id: "t1", required_tools: ["x"] }] },
      "shop.json, task 0 (t1): registry shop has no tool x",
    ],
    [
      "a task twice",
      {
        tasks: [
          { task_id: "t1", paths: [] },
          { task_id: "t1", paths: [] },
        ],
      },
      "two tasks have the id t1",
    ],
    [
      "neither paths nor tools",
      { tasks: [{ task_id: "t1" }] },
      "shop.json, task 0 (t1): give either paths or required_tools",
    ],
    [
      "two paths of one id",
      {
        tasks: [
          {
            task_id: "t1",
            paths: [
              { id: "p", tools: ["email"] },
              { id: "p", tools: ["name"] },
            ],
          },
        ],
      },
      "task t1: two different paths have the id p",
    ],
  ])("refuses %s on one line", (_name, change, message) => {
    const read = (): unknown => readRegistry({ ...wire, ...change }, { place: "shop.json" });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/\n/);
  });
});
