import type { SessionRecord } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, Folder, MessageSquare, Search, Tag } from "lucide-react";
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
import { parseSearch } from "../url/search-params.ts";
import { useActionEntries } from "./action-entries.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { findItems, makeSearchable, type Searchable } from "./palette-items.ts";
import { recentItems, TEXT_SEARCH } from "./recent.ts";
import { useSettingsEntries } from "./settings-entries.ts";

export interface PaletteGroup {
  title: PlainTextKey;
  entries: readonly PaletteEntry[];
}

/** Entries of a kind that are shown while something is typed, and before. */
const MAX_FOUND = 8;
const MAX_RECENT = 6;
const FEW = 5;

/**
 * Everything that the palette has for what is typed, by kind, the one with the best first, and at the end a search for
 * it; while nothing is typed, the newest sessions and what was used last.
 */
export function usePaletteGroups(typed: string): { query: string; groups: readonly PaletteGroup[] } {
  const query = useDeferredValue(typed);
  const recent = usePreference(recentItems);
  const kinds = usePaletteKinds(query);
  const searchEntry = useTextSearchEntry(query);
  return useMemo(() => {
    const groups =
      query.trim() === ""
        ? groupsBefore(kinds, recent)
        : [...groupsFor(kinds, query, recent), { title: "palette.search" as const, entries: [searchEntry] }];
    return { query, groups: groups.filter(({ entries }) => entries.length > 0) };
  }, [kinds, query, recent, searchEntry]);
}

/** The best of each kind; of kinds that are as good, the order is the usual one. */
function groupsFor(kinds: readonly PaletteKind[], query: string, recent: readonly string[]): PaletteGroup[] {
  const found = kinds.map(({ title, items }) => ({ title, ...findItems(items, query, recent, MAX_FOUND) }));
  return found.sort((a, b) => b.score - a.score).map(({ title, items }) => ({ title, entries: items }));
}

function groupsBefore(kinds: readonly PaletteKind[], recent: readonly string[]): PaletteGroup[] {
  const sessions = kinds.find(({ title }) => title === "palette.sessions")?.items ?? [];
  const newest = sessions.slice(0, FEW).map(({ item }) => item);
  const isShown = new Set(newest.map(({ id }) => id));
  const byId = new Map(kinds.flatMap(({ items }) => items.map(({ item }) => [item.id, item] as const)));
  const used = recent.flatMap((id) => (isShown.has(id) ? [] : (byId.get(id) ?? []))).slice(0, MAX_RECENT);
  for (const { id } of used) isShown.add(id);
  const others = kinds.map(({ title, items, before }): PaletteGroup => {
    const most = { all: items.length, few: FEW, none: 0 }[before];
    const entries = items.slice(0, most + isShown.size).flatMap(({ item }) => (isShown.has(item.id) ? [] : item));
    return { title, entries: entries.slice(0, most) };
  });
  return [{ title: "palette.recent_sessions", entries: newest }, { title: "palette.recent", entries: used }, ...others];
}

/** What there is of one kind, and how much of it is shown before anything is typed. */
interface PaletteKind {
  title: PlainTextKey;
  items: readonly Searchable<PaletteEntry>[];
  before: "all" | "few" | "none";
}

function usePaletteKinds(query: string): readonly PaletteKind[] {
  const actions = useActionEntries();
  const sessions = useSessionEntries(query);
  const searches = useSearchEntries();
  const tags = useTagEntries();
  const projects = useProjectEntries();
  const settings = useSettingsEntries();
  return useMemo(
    () => [
      { title: "palette.actions", items: actions, before: "all" },
      { title: "palette.sessions", items: sessions, before: "none" },
      { title: "palette.projects", items: projects, before: "few" },
      { title: "palette.tags", items: tags, before: "few" },
      { title: "palette.searches", items: searches, before: "few" },
      { title: "palette.settings", items: settings, before: "none" },
    ],
    [actions, sessions, projects, tags, searches, settings],
  );
}

/** The last resort: what was typed may have been said. */
function useTextSearchEntry(query: string): PaletteEntry {
  const navigate = useNavigate();
  return useMemo(() => {
    const q = query.trim();
    return {
      id: TEXT_SEARCH,
      text: t("palette.search_text", { query: q }),
      icon: Search,
      run: () => void navigate({ to: "/search", search: { q } }),
    };
  }, [query, navigate]);
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
        const { path, cwd, format, modified_at } = record;
        const details = [names.get(format) ?? [], cwd === null ? [] : projectOf(cwd)].flat();
        return {
          id: `session ${path}`,
          text: sessionTitle(record),
          ...(details.length > 0 && { detail: details.join(" · ") }),
          time: modified_at,
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
