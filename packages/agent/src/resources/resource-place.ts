import type { ResourceSource } from "@sm/core";
import type { SkillLayout } from "./files.ts";

export const RESOURCE_KINDS = ["skills", "prompts", "themes"] as const;

export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** A folder in which the agent looks for resources of a kind. */
export interface ResourcePlace {
  folder: string;
  source: ResourceSource;
  /** The working directory that it belongs to, `null` where it belongs to all. */
  project: string | null;
  layout: SkillLayout;
  /** What the settings say about files of this kind, and the folder that it is relative to. */
  overrides: string[];
  base: string;
  /** Folders, with all links followed, in one of which its files have to lie when all links are followed. */
  within: string[];
}
