import { AppError } from "@sm/core";
import { ConnectionError } from "@sm/router/client";
import type { Settings } from "@sm/server/early";
import { redactsForAgents } from "@sm/server/local";
import { serveMcpOnStdio } from "@sm/transport-mcp";
import type { Connection } from "./connection/connection.ts";
import type { Shell } from "./shell.ts";

/** Speaks MCP on standard input and output until input ends. */
export async function speakMcp(
  connection: Pick<Connection, "send">,
  shell: Pick<Shell, "warn">,
  { settings, version }: { settings: Settings; version: string },
): Promise<void> {
  const { ended } = await serveMcpOnStdio({
    send: (command, payload) => send(connection, command, payload),
    env: process.env,
    version,
    redacts: await redactsForAgents(settings),
    onDefect: (error) => shell.warn(`error: ${error instanceof Error ? error.message : error}`),
  });
  await ended;
}

/** Tells the agent that the server has gone, which is no defect. */
async function send(connection: Pick<Connection, "send">, command: string, payload: unknown): Promise<unknown> {
  try {
    return await connection.send(command, payload);
  } catch (error) {
    if (error instanceof ConnectionError) throw new AppError("UNAVAILABLE", error.message, { cause: error });
    throw error;
  }
}
