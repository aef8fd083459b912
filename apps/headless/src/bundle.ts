import module, { createRequire } from "node:module";
import { join } from "node:path";
import { cacheDirectory } from "@sm/server/early";

/** Node has it from 22.1 on. */
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };

/**
 * Loads a bundle that lies beside this code. Node keeps the compiled code for later starts; where it cannot, code is
 * compiled at each start.
 */
export function loadBundle(name: string): unknown {
  enableCompileCache?.(join(cacheDirectory(), "compiled"));
  return createRequire(import.meta.url)(`./${name}`);
}
