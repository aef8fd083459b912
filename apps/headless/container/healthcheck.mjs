// Checks the health of the service in this container, at the address in its data directory. A hub has none there and is
// asked at its port. Exits with 0 if healthy; `docker inspect` shows the output.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";

const response = await fetch(new URL("/health", await address()));
process.stdout.write(await response.text());
process.exitCode = response.ok ? 0 : 1;

async function address() {
  if (env.SESSION_MANAGER_STORE) return `http://127.0.0.1:${env.SESSION_MANAGER_PORT}`;
  return JSON.parse(await readFile(join(env.SESSION_MANAGER_DATA_DIR, "server.json"), "utf8")).url;
}
