import { join } from "node:path";

/** Name of the MCP server in the configuration of agents. */
export const SERVER_NAME = "sessions";

/** Where agents of the user are looked for. */
export interface UserPlace {
  env: NodeJS.ProcessEnv;
  home: string;
}

/** How an agent reaches the server: by starting a command, or at an address. */
export type ServerEntry = { command: readonly string[] } | { url: string };

/** An agent that can ask for past work. */
export interface MemoryAgent {
  name: string;
  /** Its program, which changes its configuration. */
  program: string;
  /** The file that names its MCP servers. */
  serverFile(place: UserPlace): string;
  /** What such a file says of a server of this name; `null` if there is none. @throws SyntaxError if it is not readable. */
  serverIn(text: string): string | null;
  /** Arguments of its program. */
  add(server: ServerEntry): string[];
  remove: readonly string[];
  /** Folder of its skills. Agents may share one. */
  skills(place: UserPlace): string;
}

/** Agents with an MCP client and skills, with the commands and files that their documentation names. */
export const MEMORY_AGENTS: readonly MemoryAgent[] = [
  {
    name: "pi",
    program: "pi",
    serverFile: ({ env, home }) => join(env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "mcp.json"),
    serverIn: jsonServer,
    add: (server) => ["mcp", "add", SERVER_NAME, ...usualArguments(server)],
    remove: ["mcp", "remove", SERVER_NAME],
    skills: sharedSkills,
  },
  {
    name: "claude-code",
    program: "claude",
    serverFile: ({ env, home }) => join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
    serverIn: jsonServer,
    // Without the scope it would be there in this directory alone.
    add: (server) =>
      "url" in server
        ? ["mcp", "add", "--scope", "user", "--transport", "http", SERVER_NAME, server.url]
        : ["mcp", "add", "--scope", "user", SERVER_NAME, ...usualArguments(server)],
    remove: ["mcp", "remove", "--scope", "user", SERVER_NAME],
    skills: ({ env, home }) => join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "skills"),
  },
  {
    name: "codex",
    program: "codex",
    serverFile: ({ env, home }) => join(env.CODEX_HOME || join(home, ".codex"), "config.toml"),
    serverIn: (text) => TOML_SERVER.exec(text)?.[0] ?? null,
    add: (server) => ["mcp", "add", SERVER_NAME, ...usualArguments(server)],
    remove: ["mcp", "remove", SERVER_NAME],
    skills: sharedSkills,
  },
];

/** A table with its keys, up to the next one. */
const TOML_SERVER = new RegExp(
  `^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\.[ \\t]*(["']?)${SERVER_NAME}\\1[ \\t]*\\][\\s\\S]*?(?=^[ \\t]*\\[|$(?![\\s\\S]))`,
  "m",
);

function jsonServer(text: string): string | null {
  const { mcpServers } = JSON.parse(text) as { mcpServers?: Record<string, unknown> | null };
  if (typeof mcpServers !== "object" || mcpServers === null || !Object.hasOwn(mcpServers, SERVER_NAME)) return null;
  return JSON.stringify(mcpServers[SERVER_NAME]);
}

/** Whether an entry, in JSON or TOML, is one of ours: it starts this program, or names the route of a service. */
export function isOwnServer(entry: string): boolean {
  return /["'][^"']*session-cli[^"']*["'][\s\S]*["']mcp["']|main\.js["'][\s\S]*["']mcp["']|["']https?:[^"']*\/mcp["']/.test(
    entry,
  );
}

function usualArguments(server: ServerEntry): string[] {
  return "url" in server ? ["--url", server.url] : ["--", ...server.command];
}

function sharedSkills({ home }: UserPlace): string {
  return join(home, ".agents", "skills");
}
