import { defineConfig } from "vitest/config";

// Workspace packages are tested from their sources: no build stands between an edit and its test.
const conditions = ["@sm/source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts"],
    globalSetup: ["packages/core/worker.setup.mjs"],
    testTimeout: 20_000,
  },
});
