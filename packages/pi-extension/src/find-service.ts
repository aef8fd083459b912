import * as http from "node:http";
import * as https from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { readServerFile } from "./server-file.ts";

/** Address and credentials of the service. */
export interface Service {
  url: string;
  token: string | null;
}

/** The service rejected a command. */
export class CommandFailed extends Error {
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/**
 * Finds the service: SESSION_MANAGER_URL, otherwise this user's running service by the file in its data directory.
 * `null` if there is none. The token defaults to the one in that file.
 */
export async function findService(env: NodeJS.ProcessEnv): Promise<Service | null> {
  const { SESSION_MANAGER_URL: url, SESSION_MANAGER_TOKEN: token } = env;
  if (url && token) return { url, token };
  const own = await readServerFile(join(dataDirectory(env), "server.json"));
  if (url) return { url, token: own?.url === url ? own.token : null };
  return own === null ? null : { url: own.url, token: token || own.token };
}

/** Same rule as in the service: the packages that both would share cannot be loaded here. */
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
 * Calls a command of the service. Does not use `fetch`, which the agent has replaced by one that sends everything
 * through the environment's proxy, including local addresses.
 *
 * @param payload JSON.
 * @param options `timeout`: milliseconds without a byte of the response.
 * @throws {CommandFailed} and network errors.
 */
export function callService(
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
