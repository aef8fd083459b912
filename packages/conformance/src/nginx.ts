import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DOCUMENTED = fileURLToPath(new URL("../../../docs/nginx.conf", import.meta.url));
const OF_HUB = fileURLToPath(new URL("../../../docs/hub/nginx.conf", import.meta.url));

/** An nginx with the documented configuration, gone at the end of the block that starts it. */
export interface Nginx extends AsyncDisposable {
  url: string;
  /** What it has logged about requests. */
  accessLog(): Promise<string>;
  /** What it has said of problems. */
  errorLog(): string;
}

/**
 * Starts nginx in front of a service, with nothing changed in the documented file but ports and the places of the logs.
 * `http` is put beside it, as another file in `conf.d` would be.
 */
export async function startNginx(program: string, serviceUrl: string, http = ""): Promise<Nginx> {
  const documented = await readFile(DOCUMENTED, "utf8");
  return runNginx(program, {
    account: "own",
    http: `access_log off; ${http}`,
    site: (port) =>
      changed(documented, DOCUMENTED, [
        ["listen 80;", `listen 127.0.0.1:${port};`],
        ["server 127.0.0.1:52131;", `server ${new URL(serviceUrl).host};`],
        ["/var/log/nginx/session-manager.log", "access.log"],
        ["/var/log/nginx/error.log", "stderr"],
      ]),
  });
}

/** Starts nginx in front of two servers of a hub, with nothing changed in its documented file but ports and addresses. */
export async function startHubNginx(program: string, [one, other]: [one: string, other: string]): Promise<Nginx> {
  const documented = await readFile(OF_HUB, "utf8");
  return runNginx(program, {
    account: "own",
    http: "access_log off;",
    site: (port) =>
      changed(documented, OF_HUB, [
        ["listen 80;", `listen 127.0.0.1:${port};`],
        // Addresses need no resolver, and the nginx of most systems is too old to have one here.
        ["    resolver ", "    # resolver "],
        ["server-1:52131 resolve", new URL(one).host],
        ["server-2:52131 resolve", new URL(other).host],
        ["/var/log/nginx/access.log", "access.log"],
      ]),
  });
}

/** @throws where a text that is to be replaced is not there. */
function changed(text: string, path: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((site, [from, to]) => {
    if (!site.includes(from)) throw new Error(`${path} does not hold "${from}".`);
    return site.replace(from, to);
  }, text);
}

/**
 * Starts nginx in front of a service with nothing but `proxy_pass`, and under each path of `places` with more
 * directives. Its workers run under the test's own account or as nobody, which takes root.
 */
export function startBareNginx(
  program: string,
  serviceUrl: string,
  account: "own" | "nobody",
  places: Readonly<Record<string, string>> = {},
): Promise<Nginx> {
  const locations = Object.entries({ "/": "", ...places }).map(
    ([path, directives]) => `location ${path} { ${directives} proxy_pass ${serviceUrl}/; }`,
  );
  return runNginx(program, {
    account,
    http: "",
    site: (port) => `server { listen 127.0.0.1:${port}; access_log access.log; ${locations.join(" ")} }`,
  });
}

interface NginxOptions {
  account: "own" | "nobody";
  http: string;
  /** Writes the site for a port. */
  site: (port: number) => string;
}

async function runNginx(program: string, { account, http, site }: NginxOptions): Promise<Nginx> {
  const prefix = await mkdtemp(join(tmpdir(), "session-manager-nginx-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${kind};`);
  // Without this, the workers of root's nginx have an account of their own.
  const user = process.getuid?.() === 0 ? [`user ${account === "own" ? "root" : "nobody nogroup"};`] : [];
  const main = [
    ...user,
    "daemon off;",
    "pid nginx.pid;",
    "error_log stderr warn;",
    "events {}",
    `http { ${temporary.join(" ")} ${http} include site.conf; }`,
  ];
  await writeFile(join(prefix, "site.conf"), site(port));
  await writeFile(join(prefix, "nginx.conf"), `${main.join("\n")}\n`);
  // For workers of another account.
  await chmod(prefix, 0o711);

  const child = spawn(program, ["-p", prefix, "-e", "stderr", "-c", "nginx.conf"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  const ended = once(child, "exit");
  const kill = () => child.kill("SIGTERM");
  // A test that takes too long never comes to the end of its block.
  process.once("exit", kill);
  const stop = async () => {
    kill();
    await ended;
    process.off("exit", kill);
    await rm(prefix, { recursive: true });
  };
  try {
    await Promise.race([
      untilListening(port),
      ended.then(() => {
        throw new Error(`nginx has ended: ${said}`);
      }),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    accessLog: () => readFile(join(prefix, "access.log"), "utf8"),
    errorLog: () => said,
    [Symbol.asyncDispose]: stop,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const listening = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (listening) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
