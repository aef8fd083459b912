import type { SendCommand } from "./commands.ts";

export interface McpStdioOptions {
  send: SendCommand;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  redacts: boolean;
  /** Called for unexpected errors, whose cause clients are not told. */
  onDefect(error: unknown): void;
}

/** In which agents tell the programs that they start which session is theirs. */
const OWN_SESSION_VARIABLES = [
  "PI_SESSION_ID",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_SESSION_ID",
  "CODEX_THREAD_ID",
  "CODEX_SESSION_ID",
];

/** The session that has started this program, by the variables of its environment; `null` if they do not say. */
function ownSessionOf(env: McpStdioOptions["env"]): string | null {
  for (const name of OWN_SESSION_VARIABLES) {
    const value = env[name];
    if (value !== undefined && value !== "") return value;
  }
  return null;
}

/** Speaks MCP on standard input and output of this process; `ended` resolves when nothing more is read. */
export async function serveMcpOnStdio(options: McpStdioOptions): Promise<{ ended: Promise<void> }> {
  const { send, env, version, redacts, onDefect } = options;
  const { serveProcess } = await import("./protocol.ts");
  return {
    ended: serveProcess({ send, ownSession: ownSessionOf(env), redacts, now: Date.now }, { version, onDefect }),
  };
}
