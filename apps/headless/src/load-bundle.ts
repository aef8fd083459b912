import module, { createRequire } from "node:module";
import { join } from "node:path";
import { cacheDirectory } from "@sm/server/early";

/** Available in Node 22.1 and later. */
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };

/** Loads a bundle in the same directory. Node caches the compiled code if possible. */
export function loadBundle(name: string): unknown {
  enableCompileCache?.(join(cacheDirectory(), "compiled"));
  return createRequire(import.meta.url)(`./${name}`);
}
