import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { buildScript } from "./script-build.ts";
import type { FirstParts } from "./src/start/first-parts.ts";

const SOURCE = fileURLToPath(new URL("src/start/start.ts", import.meta.url));
const PATH = "/start.js";

/** What an open session and the texts of the languages begin with. */
const SESSION = /[\\/]shell[\\/]session-screen\.tsx$/;
const TEXTS = /[\\/]i18n[\\/](en|zh)\.ts$/;

/**
 * Builds the script that runs before the program of the page, with the names of the files that some addresses need
 * besides.
 */
export function startScript(): Plugin {
  return {
    name: "start-script",

    configureServer({ middlewares, environments }) {
      const { conditions } = environments.client.config.resolve;
      middlewares.use(PATH, (_request, response, next) => {
        const constants = { FIRST_PARTS: { session: [], texts: {} } };
        buildScript({ source: SOURCE, constants, conditions })
          .then((code) => response.setHeader("Content-Type", "text/javascript").end(code))
          .catch(next);
      });
    },

    transformIndexHtml: {
      order: "post",
      handler: () => [{ tag: "script", attrs: { src: PATH }, injectTo: "head-prepend" }],
    },

    async generateBundle(_options, bundle) {
      const { conditions } = this.environment.config.resolve;
      const code = await buildScript({ source: SOURCE, constants: { FIRST_PARTS: firstParts(bundle) }, conditions });
      this.emitFile({ type: "asset", fileName: PATH.slice(1), source: code });
    },
  };
}

function firstParts(bundle: Rolldown.OutputBundle): FirstParts {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const initial = new Set(
    chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]),
  );
  /** What comes with the module, but for what every address needs. */
  const filesOf = (module: string): string[] => {
    const files = new Set<string>();
    const add = (name: string) => {
      const chunk = chunks.find(({ fileName }) => fileName === name);
      if (chunk === undefined || initial.has(name) || files.has(name)) return;
      files.add(name);
      for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
      for (const imported of chunk.imports) add(imported);
    };
    for (const { fileName, moduleIds } of chunks) if (moduleIds.includes(module)) add(fileName);
    return [...files].map((name) => `/${name}`);
  };
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  const session = modules.filter((id) => SESSION.test(id)).flatMap(filesOf);
  const texts = modules.flatMap((id) => {
    const [, language] = TEXTS.exec(id) ?? [];
    return language === undefined ? [] : [[language, filesOf(id)] as const];
  });
  if (session.length === 0 || texts.length === 0) throw new Error("The parts of the first screens were not found.");
  return { session, texts: Object.fromEntries(texts) };
}
