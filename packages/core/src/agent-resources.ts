import type { Requester } from "./requester.ts";

/** Origin of a resource. */
export type ResourceSource = "global" | "project" | "package";

/** A file that influences the agent. */
export interface AgentResource {
  name: string;
  description: string | null;
  path: string;
  source: ResourceSource;
  /** Its working directory, or a parent of that; `null` for global resources. */
  project: string | null;
  /** Whether the agent loads it. */
  enabled: boolean;
  /** Problems, for the user. */
  problems: string[];
}

export interface PromptResource extends AgentResource {
  argument_hint: string | null;
}

export interface ThemeResource extends AgentResource {
  /** `#rrggbb` by color name, with variables resolved; "" for the terminal's default. */
  colors: Record<string, string>;
}

/**
 * The agent's skills, prompts and themes: global ones, those of projects, and those of packages in its settings.
 * Implemented by `@sm/agent`. Unreadable files are listed with their problem. All methods reject with the reason of the
 * requester's signal when it is aborted.
 */
export interface AgentResources {
  /** Of all projects, or of one with sessions; always with the global ones. */
  skills(project: string | null, requester?: Requester): Promise<AgentResource[]>;
  prompts(project: string | null, requester?: Requester): Promise<PromptResource[]>;
  themes(project: string | null, requester?: Requester): Promise<ThemeResource[]>;
  /** Rejects with AppError `FORBIDDEN` for a file that is not listed, `PAYLOAD_TOO_LARGE` above 1 MiB. */
  read(path: string, requester?: Requester): Promise<{ path: string; content: string }>;
}
