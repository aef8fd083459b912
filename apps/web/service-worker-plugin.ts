import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const SOURCE = fileURLToPath(new URL("src/service-worker/service-worker.ts", import.meta.url));

/** Files of `public` that the first screen needs. */
const PUBLIC_FILES = ["/theme.js", "/icon.svg"];

/**
 * Builds the service worker as one file at the root of the page, with the names of the files that the first screen
 * needs.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    async generateBundle(_options, bundle) {
      const outputs = Object.values(bundle);
      const entries = outputs.filter((output) => output.type === "chunk" && output.isEntry);
      const first = new Set<string>();
      for (const entry of entries) {
        if (entry.type !== "chunk") continue;
        for (const name of [entry.fileName, ...entry.imports, ...(entry.viteMetadata?.importedCss ?? [])])
          first.add(name);
      }
      const files = [...PUBLIC_FILES, ...[...first].sort().map((name) => `/${name}`)];
      const names = outputs.map(({ fileName }) => fileName).sort();
      const version = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 12);
      const built = await build({
        configFile: false,
        logLevel: "warn",
        resolve: { conditions: this.environment.config.resolve.conditions },
        define: { SHELL: JSON.stringify({ version, files }) },
        build: { write: false, target: "es2023", rolldownOptions: { input: SOURCE, output: { format: "iife" } } },
      });
      const [output] = Array.isArray(built) ? built : [built];
      if (output === undefined || !("output" in output)) throw new Error("The service worker was not built.");
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: output.output[0].code });
    },
  };
}
