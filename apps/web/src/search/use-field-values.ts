import { agentName } from "@sm/core";
import type { CommandOutput } from "@sm/router/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { commandQuery } from "../client/commands.ts";
import { useProjects } from "../client/projects.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import type { ValueField } from "./query-fields.ts";

/** A value that a field of a query may have. */
export interface FieldValue {
  /** As it is written in a query. */
  value: string;
  /** What queries find it by, where that is more than the value. */
  whole?: string;
  /** Sessions, or calls of a tool; `null` where nothing is counted. */
  count: number | null;
}

/** Shorter beginnings are those of too many files. */
const LEAST_OF_FILE = 2;

const NONE: readonly FieldValue[] = [];

const FIXED: { readonly [Field in ValueField]?: readonly FieldValue[] } = {
  role: ["user", "assistant", "tool"].map((value) => ({ value, count: null })),
  is: ["favorite", "bookmarked", "live", "archived", "expiring", "failed", "aborted"].map((value) => ({
    value,
    count: null,
  })),
  has: [{ value: "note", count: null }],
};

/**
 * The values that a field may have, the most frequent ones first; `null` until they are known.
 *
 * @param typed how the names of files begin, of which there are too many to know all.
 */
export function useFieldValues(field: ValueField | null, typed = ""): readonly FieldValue[] | null {
  const { records } = useSessions();
  const projects = useProjects();
  const projectOf = useProjectName();
  const tags = useTags();
  const service = useService();
  const files = useQuery({
    ...commandQuery(service, "list_file_names", { prefix: typed.trim() }),
    enabled: field === "file" && typed.trim().length >= LEAST_OF_FILE,
    // Those that fit stay while the next ones come.
    placeholderData: keepPreviousData,
  }).data;
  const tools = useQuery({ ...commandQuery(service, "get_session_stats"), enabled: field === "tool" }).data?.by_tool;
  return useMemo(() => {
    switch (field) {
      case null:
        return NONE;
      case "tool":
        return tools?.flatMap(({ tool, calls }) => (tool === null ? [] : { value: tool, count: calls })) ?? null;
      case "project":
        return projects
          .map(({ cwd, count }): FieldValue => ({ value: projectOf(cwd), whole: cwd, count }))
          .sort(byCount);
      case "model":
        return countsOf([...records.values()].flatMap(({ models }) => models));
      case "agent":
        return countsOf([...records.values()].map(({ format }) => agentName(format)));
      case "file":
        return typed.trim().length < LEAST_OF_FILE ? NONE : (files?.map(valueOfFile) ?? null);
      case "tag":
        return tags.inOrder.map(({ tag }): FieldValue => ({ value: tag.name, count: tag.session_count })).sort(byCount);
      default:
        return FIXED[field] ?? NONE;
    }
  }, [field, typed, records, projects, projectOf, tags, tools, files]);
}

function valueOfFile({ name, session_count }: CommandOutput<"list_file_names">[number]): FieldValue {
  return { value: name, count: session_count };
}

function countsOf(values: readonly string[]): FieldValue[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort(byCount);
}

function byCount(a: FieldValue, b: FieldValue): number {
  return (b.count ?? 0) - (a.count ?? 0);
}
