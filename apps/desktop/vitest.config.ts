import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: process.env.SESSION_MANAGER_SCREENSHOTS === "1" ? ["test/pictures.ts"] : ["test/**/*.test.ts"],
    // Each test has its own display, and a web view on it uses most of a core.
    fileParallelism: false,
    // For hanging tests only; slow machines may need long.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // A window is occasionally late, like a browser. Real defects fail twice.
    retry: process.env.CI ? 1 : 0,
  },
});
