import { useNavigate, useRouterState } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";
import { IconButton } from "../design/button.tsx";
import { ScreenHeader } from "../design/screen.tsx";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import { parseSearch, type RawSearch, textIn } from "../url/search-params.ts";
import type { OpenedHit } from "./result-rows.ts";
import type { ResultsHandle } from "./results.tsx";
import { changed, linksOf, writeHits } from "./search-links.ts";
import { SearchActions, SearchPane } from "./search-pane.tsx";
import { readSearchState } from "./search-state.ts";
import type { ChangeSearch } from "./use-search.ts";

/**
 * Search results beside the session that a hit is read in, instead of the list.
 *
 * @param hits the search, as the address has it.
 */
export function SearchBeside({ hits }: { hits: string }) {
  const state = useMemo(() => readSearchState(parseSearch(hits)), [hits]);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => textIn(location.search as RawSearch, "path") ?? "" });
  const entry = useRouterState({ select: ({ location }) => textIn(location.search as RawSearch, "entry") ?? null });
  const opened = useMemo((): OpenedHit => ({ path, entry }), [path, entry]);
  const list = useRef<ResultsHandle>(null);

  const change = useCallback<ChangeSearch>(
    (part, { replace = false } = {}) => {
      const next = writeHits(changed(state, part));
      void navigate({
        to: ".",
        search: ((now: object) => ({ ...now, hits: next === "" ? NO_QUERY : next })) as never,
        replace,
      });
    },
    [navigate, state],
  );
  const close = () => void navigate({ to: ".", search: ((now: object) => ({ ...now, hits: undefined })) as never });
  const step = (by: 1 | -1) => () => {
    const hit = list.current?.step(by) ?? null;
    // One way back leads out of the hits, however many were read.
    if (hit !== null) void navigate({ ...linksOf(state, true).toSession(hit, true), replace: true });
  };
  useActions([
    { id: "search.next_hit", title: "search.next_hit", group: "session", keys: "n", comesFirst: true, run: step(1) },
    {
      id: "search.hit_before",
      title: "search.hit_before",
      group: "session",
      keys: "shift+n",
      comesFirst: true,
      run: step(-1),
    },
  ]);

  return (
    <>
      <ScreenHeader
        title={t("rail.search")}
        className="pr-2!"
        actions={
          <SearchActions state={state} change={change}>
            <IconButton icon={X} label={t("search.close_beside")} onClick={close} />
          </SearchActions>
        }
      />
      <SearchPane state={state} change={change} opened={opened} handle={list} />
    </>
  );
}

/** A search for nothing keeps its place. */
const NO_QUERY = "q=";
