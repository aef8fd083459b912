import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: process.env.SESSION_MANAGER_SCREENSHOTS === "1" ? ["test/pictures.ts"] : ["test/**/*.test.ts"],
    // Each has a display of its own, and a web view on it takes most of a core.
    fileParallelism: false,
    // They end what hangs. How long work takes is the machine's affair, which may be busy.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // A window is late now and then, as a browser is. What is broken fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});
