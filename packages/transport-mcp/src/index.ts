/// <reference types="node" preserve="true" />
export type { SendCommand } from "./commands.ts";
export { createMcpTransport, type McpTransport, type McpTransportOptions } from "./mcp-transport.ts";
export { type McpStdioOptions, serveMcpOnStdio } from "./stdio.ts";
