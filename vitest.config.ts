import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Workspace packages are tested from their sources: no build stands between an edit and its test. "import" is not among
// the conditions, which would hold for `require` too then, and give it modules that it does not expect.
const conditions = ["@sm/source", "module", "node"];

// CI gives a seed: whether a change can land must depend on the change and not on luck. Everywhere else, each run looks for
// new cases, with a seed that it prints.
process.env.SESSION_MANAGER_TEST_SEED ??= String(randomInt(2 ** 31));
const alias = { "fast-check": fileURLToPath(new URL("packages/workspace/src/scaled-fast-check.mjs", import.meta.url)) };

// The suites: "unit" starts no program, "process" does, "browser" drives Chromium, and "packed" installs what is
// published.
const processes = "**/*.process.test.ts";
const conformance = "packages/conformance/src";
const browser = `${conformance}/{web,exported}/**/*.test.ts`;
const packed = `${conformance}/install/**/*.test.ts`;
const everywhere = ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts"];

// The worker thread is built from its source for those that start it.
const globalSetup = ["packages/core/worker.setup.mjs"];
const homes = "packages/conformance/homes.setup.mjs";

export default defineConfig({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      // The files of a worker share its process, and what they import.
      {
        extends: true,
        test: {
          name: "unit",
          include: everywhere,
          exclude: [processes, `${conformance}/**`],
          isolate: false,
          setupFiles: [
            "packages/workspace/src/real-timers.setup.mjs",
            "packages/workspace/src/no-processes.setup.mjs",
            "packages/core/trash.setup.mjs",
          ],
          globalSetup,
        },
      },
      // The page's components, in a document without layout.
      {
        extends: true,
        root: "apps/web",
        oxc: { jsx: { runtime: "automatic", importSource: "/src/visible-jsx" } },
        test: {
          name: "page",
          include: ["src/**/*.test.tsx"],
          environment: "happy-dom",
          isolate: false,
          setupFiles: [fileURLToPath(new URL("apps/web/src/page.setup.ts", import.meta.url))],
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: [`{packages,apps}/*/src/${processes}`, `${conformance}/**/*.test.ts`],
          exclude: [browser, packed],
          globalSetup: [...globalSetup, homes],
        },
      },
      // The files of a worker share its browser, and what they import.
      {
        extends: true,
        test: {
          name: "browser",
          include: [browser],
          isolate: false,
          globalSetup: [...globalSetup, homes],
          // A browser is late now and then. What is broken fails twice; what was tried again is listed at the end.
          retry: process.env.CI ? 1 : 0,
        },
      },
      { extends: true, test: { name: "packed", include: [packed], globalSetup } },
    ],
    // While one waits for another process, a browser for example, the processor is free: on two cores, two run at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // They end what hangs. How long work takes is the machine's affair, which may be busy.
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
