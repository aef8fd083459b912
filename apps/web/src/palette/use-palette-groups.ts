import type { SessionRecord } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, Folder, type LucideIcon, MessageSquare, Tag, Zap } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { usePreference } from "../browser/preference.ts";
import { useAgents } from "../client/agents.ts";
import { commandQuery } from "../client/commands.ts";
import { useProjects } from "../client/projects.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { type PlainTextKey, t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { savedSearches } from "../search/saved-searches.ts";
import { useAllActions } from "../shortcuts/actions.ts";
import { GROUP_TITLES, keysOf } from "../shortcuts/registry.ts";
import { parseSearch } from "../url/search-params.ts";
import { findItems, makeSearchable, type PaletteItem } from "./palette-items.ts";
import { recentItems } from "./recent.ts";

export interface PaletteEntry extends PaletteItem {
  icon: LucideIcon;
  /** Colour of a tag. */
  color?: string;
  /** Keys that do the same. */
  keys?: string;
  run(): void;
}

export interface PaletteGroup {
  title: PlainTextKey;
  entries: readonly PaletteEntry[];
}

/** Entries of a kind that are shown while something is typed, and before. */
const MAX_FOUND = 8;
const MAX_RECENT = 6;
const FEW = 5;

/**
 * Everything that the palette has for what is typed, by kind, the one with the best first; while nothing is typed, what
 * was used last.
 */
export function usePaletteGroups(typed: string): { query: string; groups: readonly PaletteGroup[] } {
  const query = useDeferredValue(typed);
  const recent = usePreference(recentItems);
  const kinds = usePaletteKinds(query);
  return useMemo(() => {
    const isTyped = query.trim() !== "";
    const groups: PaletteGroup[] = [];
    const isShown = new Set<string>();
    if (!isTyped) {
      const byId = new Map(kinds.flatMap(({ items }) => items.map(({ item }) => [item.id, item] as const)));
      const entries = recent.flatMap((id) => byId.get(id) ?? []).slice(0, MAX_RECENT);
      for (const { id } of entries) isShown.add(id);
      groups.push({ title: "palette.recent", entries });
    }
    const found = kinds.map(({ title, items, isWhole }) => {
      const most = isTyped ? MAX_FOUND : isWhole ? items.length : FEW + isShown.size;
      return { title, isWhole, ...findItems(items, query, recent, most) };
    });
    // Of kinds that are as good, the order is the usual one.
    for (const { title, isWhole, items } of found.sort((a, b) => b.score - a.score)) {
      const entries = items.filter(({ id }) => !isShown.has(id));
      groups.push({ title, entries: isTyped || isWhole ? entries : entries.slice(0, FEW) });
    }
    return { query, groups: groups.filter(({ entries }) => entries.length > 0) };
  }, [kinds, query, recent]);
}

/** What there is of each kind; all of `isWhole` is shown before anything is typed. */
function usePaletteKinds(query: string) {
  const actions = useActionEntries();
  const sessions = useSessionEntries(query);
  const searches = useSearchEntries();
  const tags = useTagEntries();
  const projects = useProjectEntries();
  return useMemo(
    () => [
      { title: "palette.actions" as const, items: actions, isWhole: true },
      { title: "palette.sessions" as const, items: sessions, isWhole: false },
      { title: "palette.projects" as const, items: projects, isWhole: false },
      { title: "palette.tags" as const, items: tags, isWhole: false },
      { title: "palette.searches" as const, items: searches, isWhole: false },
    ],
    [actions, sessions, projects, tags, searches],
  );
}

function useActionEntries() {
  const actions = useAllActions();
  return useMemo(
    () =>
      makeSearchable(
        actions
          .filter(({ id, onlyKeys }) => onlyKeys !== true && id !== "view.palette")
          .map((action): PaletteEntry => {
            const [keys] = keysOf(action);
            return {
              id: `action ${action.id}`,
              text: t(action.title),
              detail: t(GROUP_TITLES[action.group]),
              icon: Zap,
              ...(keys !== undefined && { keys }),
              run: action.run,
            };
          }),
      ),
    [actions],
  );
}

function useSessionEntries(query: string) {
  const { records, isPart } = useSessions();
  const agents = useAgents();
  const found = useFoundSessions(query, isPart);
  const projectOf = useProjectName();
  const navigate = useNavigate();
  return useMemo(() => {
    const all = found.length === 0 ? records : new Map([...records, ...found.map((one) => [one.path, one] as const)]);
    const newest = [...all.values()].sort((a, b) => (a.modified_at < b.modified_at ? 1 : -1));
    const names = new Map(agents.map(({ format, name }) => [format, name]));
    return makeSearchable(
      newest.map((record): PaletteEntry => {
        const { path, cwd, format } = record;
        const details = [names.get(format) ?? [], cwd === null ? [] : projectOf(cwd)].flat();
        return {
          id: `session ${path}`,
          text: sessionTitle(record),
          ...(details.length > 0 && { detail: details.join(" · ") }),
          icon: MessageSquare,
          run: () => void navigate({ to: "/session", search: { path } }),
        };
      }),
    );
  }, [records, agents, found, projectOf, navigate]);
}

/** Milliseconds after a key until the service is asked. */
const TYPING_MS = 150;

/** Sessions that are not here, with the words in title, first message or directory. */
function useFoundSessions(query: string, isPart: boolean): readonly SessionRecord[] {
  const service = useService();
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(query.trim().slice(0, MAX_QUERY)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const { data } = useQuery({
    ...commandQuery(service, "list_sessions", { query: asked, limit: MAX_FOUND }),
    enabled: isPart && asked !== "",
  });
  return data?.sessions ?? NONE;
}

const NONE: readonly SessionRecord[] = [];
/** Characters that the service takes. */
const MAX_QUERY = 1_000;

function useProjectEntries() {
  const projects = useProjects();
  const nameOf = useProjectName();
  const navigate = useNavigate();
  return useMemo(() => {
    return makeSearchable(
      projects.map(
        ({ cwd }): PaletteEntry => ({
          id: `project ${cwd}`,
          text: nameOf(cwd),
          detail: cwd,
          icon: Folder,
          run: () => void navigate({ to: "/", search: { project: cwd } }),
        }),
      ),
    );
  }, [projects, nameOf, navigate]);
}

function useTagEntries() {
  const tags = useTags();
  const navigate = useNavigate();
  return useMemo(
    () =>
      makeSearchable(
        tags.inOrder.map(
          ({ tag: { id, name, color } }): PaletteEntry => ({
            id: `tag ${id}`,
            text: name,
            icon: Tag,
            color,
            run: () => void navigate({ to: "/", search: { tag: [id] } }),
          }),
        ),
      ),
    [tags, navigate],
  );
}

function useSearchEntries() {
  const saved = usePreference(savedSearches);
  const navigate = useNavigate();
  return useMemo(
    () =>
      makeSearchable(
        saved.map(
          ({ name, search }): PaletteEntry => ({
            id: `search ${search}`,
            text: name,
            icon: Bookmark,
            run: () => void navigate({ to: "/search", search: parseSearch(search) }),
          }),
        ),
      ),
    [saved, navigate],
  );
}
