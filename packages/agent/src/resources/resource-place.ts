import type { ResourceSource } from "@sm/core";
import type { SkillLayout } from "./resource-files.ts";

export const RESOURCE_KINDS = ["skills", "prompts", "themes"] as const;

export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** A folder in which the agent looks for resources of a kind. */
export interface ResourcePlace {
  folder: string;
  source: ResourceSource;
  /** Its working directory, `null` for global folders. */
  project: string | null;
  layout: SkillLayout;
  /** Entries of the settings for this kind, and the folder to which they are relative. */
  overrides: string[];
  base: string;
  /** Real paths of folders that must contain the real paths of its files. */
  within: string[];
}
