import * as http from "node:http";
import * as https from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { readServerFile } from "./server-file.ts";

/** Where the service is, and what proves that the agent may talk to it. */
export interface Service {
  url: string;
  token: string | null;
}

/** The service's own answer that it cannot do what it is asked. */
export class CommandFailed extends Error {
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/**
 * Finds the service: where SESSION_MANAGER_URL says, otherwise the one of this user that runs, by the file that it
 * writes into its data directory. `null` where there is none. Its token, where none is given, is the one of that file.
 */
export async function findService(env: NodeJS.ProcessEnv): Promise<Service | null> {
  const { SESSION_MANAGER_URL: url, SESSION_MANAGER_TOKEN: token } = env;
  if (url && token) return { url, token };
  const own = await readServerFile(join(dataDirectory(env), "server.json"));
  if (url) return { url, token: own?.url === url ? own.token : null };
  return own === null ? null : { url: own.url, token: token || own.token };
}

/** As the service chooses it: the packages that both would share cannot be loaded here. */
function dataDirectory(env: NodeJS.ProcessEnv): string {
  if (env.SESSION_MANAGER_DATA_DIR) return env.SESSION_MANAGER_DATA_DIR;
  const home = homedir();
  switch (process.platform) {
    case "darwin":
      return join(home, "Library", "Application Support", "session-manager");
    case "win32":
      return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "session-manager", "Data");
    default:
      return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "session-manager");
  }
}

/**
 * Calls a command of the service. Not with `fetch`, which the agent has replaced by one that sends everything through
 * the proxy of the environment, this machine's own addresses too.
 *
 * @param payload JSON.
 * @param options `timeout`: milliseconds without a byte of the answer.
 * @throws {CommandFailed} and errors of the network.
 */
export function call(
  service: Service,
  command: string,
  payload: string,
  options: { signal: AbortSignal; timeout: number },
): Promise<unknown> {
  const body = Buffer.from(`{"command":${JSON.stringify(command)},"payload":${payload}}`);
  const headers: http.OutgoingHttpHeaders = { "Content-Type": "application/json", "Content-Length": body.length };
  if (service.token !== null) headers.Authorization = `Bearer ${service.token}`;
  return new Promise((resolve, reject) => {
    const url = new URL("/api", service.url);
    const { request } = url.protocol === "https:" ? https : http;
    const outgoing = request(url, { method: "POST", headers, ...options }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (part: string) => {
        text += part;
      });
      incoming.on("error", reject);
      incoming.on("end", () => {
        try {
          const { success, data, error } = JSON.parse(text);
          if (success === true) resolve(data);
          else reject(new CommandFailed(error));
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("The service does not respond.")));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
