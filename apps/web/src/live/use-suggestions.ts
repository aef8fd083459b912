import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import type { PromptToken } from "./prompt-token.ts";

/** Something that a prompt may name. */
export interface Suggestion {
  name: string;
  note: string | null;
}

const MOST = 50;
/** Typing pauses of this length, in milliseconds, make the service look for files. */
const TYPING_MS = 100;

/** What may be meant by what is being named; none where the agent or its project has nothing. */
export function useSuggestions(sessionId: string, token: PromptToken | null): readonly Suggestion[] {
  const service = useService();
  const wanted = useCalm(token?.kind === "file" ? token.text : null);
  const commands = useQuery({
    ...commandQuery(service, "get_coding_session_commands", { session_id: sessionId }),
    ...(token?.kind !== "command" && { queryFn: skipToken }),
    retry: false,
    // Extensions may be loaded anew.
    staleTime: 30_000,
  });
  const files = useQuery({
    ...commandQuery(service, "find_coding_session_files", { session_id: sessionId, text: wanted ?? "" }),
    ...(wanted === null && { queryFn: skipToken }),
    retry: false,
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  });
  if (token === null) return [];
  if (token.kind === "command") return fitting(commands.data ?? [], token.text);
  return (files.data?.files ?? []).map((name) => ({ name, note: null }));
}

/** Commands whose names have a text, those that begin with it first. */
function fitting(
  commands: readonly { name: string; description: string | null; source: string | null }[],
  text: string,
): Suggestion[] {
  const wanted = text.toLowerCase();
  const found = commands.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => Number(!name.toLowerCase().startsWith(wanted));
  return found
    .toSorted((a, b) => begins(a.name) - begins(b.name))
    .slice(0, MOST)
    .map(({ name, description, source }) => ({ name, note: description ?? source }));
}

/** A text that has not changed for a moment; the first one at once. */
function useCalm(text: string | null): string | null {
  const [calm, setCalm] = useState(text);
  useEffect(() => {
    if (calm === text) return;
    const timer = setTimeout(() => setCalm(text), calm === null || text === null ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [calm, text]);
  return calm;
}
