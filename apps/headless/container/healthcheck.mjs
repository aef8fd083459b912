// Checks the health of the service in this container, at the address in its data directory. Exits with 0 if healthy;
// `docker inspect` shows the output.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";

const { url } = JSON.parse(await readFile(join(env.SESSION_MANAGER_DATA_DIR, "server.json"), "utf8"));
const response = await fetch(new URL("/health", url));
process.stdout.write(await response.text());
process.exitCode = response.ok ? 0 : 1;
