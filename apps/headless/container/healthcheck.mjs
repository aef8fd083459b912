// Asks the service in this container how it is, at the address that it keeps in its data directory. Ends with 0 if all
// is well; what the service says is shown by `docker inspect`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";

const { url } = JSON.parse(await readFile(join(env.SESSION_MANAGER_DATA_DIR, "server.json"), "utf8"));
const response = await fetch(new URL("/health", url));
process.stdout.write(await response.text());
process.exitCode = response.ok ? 0 : 1;
