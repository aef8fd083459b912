import type { Requester } from "./requester.ts";

/** Where the agent finds a resource. */
export type ResourceSource = "global" | "project" | "package";

/** A file that shapes what the agent does. */
export interface AgentResource {
  name: string;
  description: string | null;
  path: string;
  source: ResourceSource;
  /** The working directory that it belongs to, or a folder above that; `null` where it belongs to all. */
  project: string | null;
  /** Whether the agent loads it. */
  enabled: boolean;
  /** What is wrong with it, for people. */
  problems: string[];
}

export interface PromptResource extends AgentResource {
  argument_hint: string | null;
}

export interface ThemeResource extends AgentResource {
  /** `#rrggbb` by the name of the color, with variables put in; "" for the terminal's own. */
  colors: Record<string, string>;
}

/**
 * The skills, prompts and themes of the agent: its own, those of projects, and those of packages that its settings
 * name. Implemented by `@sm/agent`. Files that cannot be read are listed with their problem. All reject with the reason of
 * the requester's signal when nobody waits any more.
 */
export interface AgentResources {
  /** Of all projects, or of one that has sessions; the global ones always. */
  skills(project: string | null, requester?: Requester): Promise<AgentResource[]>;
  prompts(project: string | null, requester?: Requester): Promise<PromptResource[]>;
  themes(project: string | null, requester?: Requester): Promise<ThemeResource[]>;
  /** Rejects with AppError `FORBIDDEN` for a file that is none of those listed, `PAYLOAD_TOO_LARGE` above 1 MiB. */
  read(path: string, requester?: Requester): Promise<{ path: string; content: string }>;
}
