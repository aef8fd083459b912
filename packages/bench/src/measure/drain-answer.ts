import { type Agent, request } from "node:http";

/** A command, or a download by its address. */
export type Request = { command: string; payload: object } | { download: string };

/** Reads an answer to its end and keeps nothing of it. Rejects when it is an error. */
export function drainAnswer(url: string, agent: Agent, wanted: Request): Promise<{ firstByteMs: number }> {
  const start = performance.now();
  const isCommand = "command" in wanted;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(isCommand ? "/api" : wanted.download, url),
      isCommand ? { method: "POST", agent, headers: { "Content-Type": "application/json" } } : { agent },
      (response) => {
        let firstByteMs = Number.NaN;
        response.once("data", () => {
          firstByteMs = performance.now() - start;
        });
        response.resume();
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode === 200) resolve({ firstByteMs });
          else reject(new Error(`${JSON.stringify(wanted)} was answered with ${response.statusCode}.`));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(isCommand ? JSON.stringify(wanted) : undefined);
  });
}

/** The address of a session's export as HTML. */
export function exportOf(path: string): Request {
  return { download: `/api/export?${new URLSearchParams({ path, format: "html" })}` };
}
