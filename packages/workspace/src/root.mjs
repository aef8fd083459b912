import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root directory, an absolute path. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Where the headless binary is built to. */
export const BINARY = join(ROOT, "apps", "headless", "dist", "main.js");
