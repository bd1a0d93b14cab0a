import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Many tests wait for processes of their own: two at a time pay on two processors, where the default is one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
