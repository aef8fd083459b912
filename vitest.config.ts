import { defineConfig } from "vitest/config";

// Workspace packages are tested from their sources: no build stands between an edit and its test. "import" is not among
// the conditions, which would hold for `require` too then, and give it modules that it does not expect.
const conditions = ["@sm/source", "module", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts"],
    globalSetup: ["packages/core/worker.setup.mjs"],
    testTimeout: 20_000,
  },
});
