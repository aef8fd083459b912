import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { precompress } from "./precompress.ts";
import { serviceWorker } from "./service-worker-plugin.ts";
import { startScript } from "./start-script-plugin.ts";

/** Where `vite` finds the service while one works on the page: `npm start` listens there. */
const SERVICE = process.env.SESSION_MANAGER_URL ?? "http://127.0.0.1:52131";

export default defineConfig({
  plugins: [react(), tailwindcss(), startScript(), serviceWorker(), precompress()],
  // Nothing that the page shows is invisible or turns the direction of text.
  oxc: { jsx: { importSource: "/src/visible-jsx" } },
  // Packages of the workspace are built from their sources.
  resolve: { conditions: ["@sm/source", ...defaultClientConditions] },
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "licences.json" },
    // The page's policy allows no data: in scripts and fonts, and pictures are few.
    assetsInlineLimit: 0,
    // Compressing takes most of the time, and is meant to.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What the first screen needs is loaded whole: in one file it is a tenth smaller than in thirty.
      // So is what an open session needs: a link to one would ask for thirty, once the page runs.
      output: {
        codeSplitting: {
          groups: [
            { name: "page", tags: ["$initial"], priority: 1 },
            // What is beside the list first of all brings nothing that only a session needs.
            { name: "home", test: /[\\/]home[\\/]home\.tsx$/ },
            { name: "session", test: /[\\/]shell[\\/]session-screen\.tsx$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": SERVICE, "/health": SERVICE, "/ws": { target: SERVICE, ws: true } } },
});
