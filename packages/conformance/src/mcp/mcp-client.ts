import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** The revisions of the protocol that the service speaks. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;

export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
  isError: boolean;
}

/** A client of the official SDK, closed at the end of the block that opens it. */
export interface McpClient extends AsyncDisposable {
  client: Client;
  /** Calls a tool; `meta` is sent along with the request. */
  ask(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
}

type Transport = Parameters<Client["connect"]>[0];

async function openClient(transport: Transport, revision: (typeof REVISIONS)[number]): Promise<McpClient> {
  const mode = revision === "2025-11-25" ? ("legacy" as const) : { pin: revision };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    async ask(name, args, meta) {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: args,
        ...(meta !== undefined && { _meta: meta }),
      });
      const [block] = content as { type: string; text?: string }[];
      return {
        text: block?.text ?? "",
        data: structuredContent as Record<string, unknown>,
        isError: isError === true,
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Connects to `/mcp` of a service. */
export function openHttpClient(
  url: string,
  revision: (typeof REVISIONS)[number],
  headers: Record<string, string> = {},
): Promise<McpClient> {
  return openClient(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }), revision);
}
