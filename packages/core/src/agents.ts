/** A setting of an agent: how many days old a session file may become. */
export interface AgentCleanupSetting {
  /** File of a home, a JSON object. */
  readonly file: string;
  readonly name: string;
  readonly defaultDays: number;
}

/** An agent besides pi whose sessions are found where it keeps them. */
export interface OtherAgent {
  /** Name in session-manager.json and in commands. */
  readonly agent: string;
  /** Name for people. */
  readonly name: string;
  /** Environment variable with its home, or several separated by commas, instead of the usual ones. */
  readonly variable: string | null;
  /** Usual homes, below the user's home. */
  readonly homes: readonly string[];
  /** Whether nothing is ever written into its session files. */
  readonly onlyRead: boolean;
  /** Directories of a home that hold sessions. */
  readonly sessions: readonly string[];
  /** The setting of a home by which old files of sessions are deleted when the agent starts. */
  readonly cleanup?: AgentCleanupSetting;
  /** Directories below the user's home, outside of the homes, in which its desktop application keeps sessions. */
  readonly desktop?: Readonly<Partial<Record<string, string>>>;
}

/**
 * Agents whose sessions are read besides pi's. To add one whose files have a known format is to add an entry: what a
 * file's lines say decides its format, not where it lies.
 */
export const OTHER_AGENTS = [
  {
    agent: "omp",
    name: "Oh My Pi",
    variable: null,
    homes: [".omp/agent"],
    onlyRead: false,
    sessions: ["sessions"],
  },
  {
    agent: "claude-code",
    name: "Claude Code",
    variable: "CLAUDE_CONFIG_DIR",
    homes: [".claude", ".config/claude"],
    onlyRead: true,
    sessions: ["projects"],
    cleanup: { file: "settings.json", name: "cleanupPeriodDays", defaultDays: 30 },
    desktop: {
      linux: ".config/Claude/local-agent-mode-sessions",
      darwin: "Library/Application Support/Claude/local-agent-mode-sessions",
      win32: "AppData/Roaming/Claude/local-agent-mode-sessions",
    },
  },
  {
    agent: "codex",
    name: "Codex",
    variable: "CODEX_HOME",
    homes: [".codex"],
    onlyRead: true,
    sessions: ["sessions", "archived_sessions"],
  },
] as const satisfies readonly OtherAgent[];

export type OtherAgentName = (typeof OTHER_AGENTS)[number]["agent"];

/** What people call the agent that writes a format: the name of the format, where that is pi or not known. */
export function agentName(format: string): string {
  return OTHER_AGENTS.find(({ agent }) => agent === format)?.name ?? format;
}

/** Whether an agent's sessions are read, and its homes; none stands for the usual ones. */
export interface AgentSwitch {
  enabled: boolean;
  homes: string[];
}

/** Switches of some agents. */
export type AgentSwitches = { [agent in OtherAgentName]?: AgentSwitch | undefined };

/** A directory in which sessions of an agent are looked for. */
export interface AgentDirectory {
  path: string;
  exists: boolean;
  /** Files that are empty, or of a format that is not known. */
  skipped_files: number;
}

/** Where the sessions of an agent are looked for, and how many were found. */
export interface AgentHome extends AgentSwitch {
  /** `pi`, or the name of another agent. */
  agent: string;
  /** Name for people. */
  name: string;
  directories: AgentDirectory[];
  /** Whether its session files are only read. */
  read_only: boolean;
  sessions: number;
}
