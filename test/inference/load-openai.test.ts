import { describe, expect, it, vi } from "vitest";
import { loadOpenAi } from "../../src/inference/load-openai.ts";

describe("loadOpenAi", () => {
  it("says how to install the package where it is missing", async () => {
    vi.doMock("openai", () => {
      throw new Error("no such package");
    });
    const loaded = loadOpenAi();
    await expect(loaded).rejects.toMatchObject({ code: "missing-package", details: { package: "openai" } });
    await expect(loaded).rejects.toThrow(
      /^asking a model needs the package openai: npm install openai@6\.49\.0$/,
    );
    vi.doUnmock("openai");
  });
});
