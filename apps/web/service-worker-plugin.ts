import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { buildScript } from "./script-build.ts";

const SOURCE = fileURLToPath(new URL("src/service-worker/service-worker.ts", import.meta.url));

/** Files beside the program that the first screen needs. */
const OTHER_FILES = ["/start.js", "/icon.svg"];

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
      const files = [...OTHER_FILES, ...[...first].sort().map((name) => `/${name}`)];
      const names = outputs.map(({ fileName }) => fileName).sort();
      const version = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 12);
      const { conditions } = this.environment.config.resolve;
      const code = await buildScript({ source: SOURCE, constants: { SHELL: { version, files } }, conditions });
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: code });
    },
  };
}
