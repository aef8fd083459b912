import type { Caller, Dispatcher, DispatchLog } from "@sm/router";
import { commandsOf } from "./commands.ts";
import type { AnswerRequest } from "./protocol.ts";

export interface McpTransportOptions {
  dispatcher: Dispatcher;
  /** Version of the service (semver). */
  version: string;
  /** Whether answers have secrets and personal data replaced; default: they have. */
  redacts?: boolean;
  log: DispatchLog;
}

/** MCP over streamable HTTP. */
export interface McpTransport {
  /** Answers an admitted POST request whose body was read. */
  serve(request: Request, body: unknown, caller: Caller): Promise<Response>;
}

/** Creates the transport for the Model Context Protocol (https://modelcontextprotocol.io). It has no sessions. */
export function createMcpTransport({ dispatcher, version, redacts = true, log }: McpTransportOptions): McpTransport {
  const onDefect = (error: unknown) => log.error({ err: error, route: "/mcp" }, "An MCP request failed.");
  // Loaded on first use: the SDK takes longer to load than the rest of the service.
  let protocol: Promise<AnswerRequest> | null = null;
  return {
    async serve(request, body, caller) {
      protocol ??= import("./protocol.ts").then(({ createHttpProtocol }) => createHttpProtocol({ version, onDefect }));
      const answer = await protocol;
      return answer(request, body, {
        send: commandsOf(dispatcher, caller),
        ownSession: null,
        redacts,
        now: Date.now,
      });
    },
  };
}
