import { build } from "vite";

/** A script that is a file of its own at the root of the page. */
export interface ScriptOptions {
  source: string;
  /** Constants of the build, by name. */
  constants: Readonly<Record<string, unknown>>;
  conditions: readonly string[];
}

/** Builds one, with everything that it imports. */
export async function buildScript({ source, constants, conditions }: ScriptOptions): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    resolve: { conditions: [...conditions] },
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    build: { write: false, target: "es2023", rolldownOptions: { input: source, output: { format: "iife" } } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error(`${source} was not built.`);
  return output.output[0].code;
}
