import { formatNamed } from "../../format/formats.ts";
import { syntheticId } from "../../session/entry-ids.ts";
import type { FoldState } from "../../session/fold-state.ts";
import type { Outline } from "../../session/outline.ts";
import type { SessionFormatName, SessionRelation } from "../../session/record.ts";

/** What tells from which session another one came, where that takes other files to find out. */
export interface Descent {
  /** As its file or its place tells. */
  relation: SessionRelation | null;
  /** Path or ID of its parent. */
  parentReference: string | null;
  /** ID of the first entry, which a copy has too; of agents that leave no reference in forks. */
  origin: string | null;
}

/** Lines without an ID before the first entry with one. */
const MAX_BEFORE_ORIGIN = 64;

/** Most sessions have a descent of nulls: they came from none, or say from which path. */
export function descentOf(path: string, format: SessionFormatName, { header }: FoldState, outline: Outline): Descent {
  const { agent } = formatNamed(format);
  const starter = agent.startedBy(path);
  if (starter !== null) return { relation: "subagent", parentReference: starter, origin: null };
  const relation = header?.relation ?? null;
  const parentId = header?.parentSessionId ?? null;
  const told = relation === "subagent" ? (header?.parentSessionPath ?? parentId) : parentId;
  const isPerhapsCopy = agent.forksByCopy && relation !== "subagent";
  return { relation, parentReference: told, origin: isPerhapsCopy ? firstIdOf(outline) : null };
}

/** Whether there is anything to find out. */
export function isTraced({ parentReference, origin }: Descent): boolean {
  return parentReference !== null || origin !== null;
}

function firstIdOf(outline: Outline): string | null {
  for (let ordinal = 0; ordinal < Math.min(outline.count, MAX_BEFORE_ORIGIN); ordinal++) {
    const id = outline.id(ordinal);
    if (id !== syntheticId(ordinal)) return id;
  }
  return null;
}
