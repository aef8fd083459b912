import { Screen } from "../design/screen.tsx";
import { t } from "../i18n/text.ts";
import { SearchActions, SearchPane } from "./search-pane.tsx";
import type { SearchState } from "./search-state.ts";
import { useChangeSearch } from "./use-search.ts";

/** Searches the text of all sessions. */
export function SearchScreen({ state }: { state: SearchState }) {
  const change = useChangeSearch();
  return (
    <Screen isPlain title={t("rail.search")} actions={<SearchActions state={state} change={change} />}>
      <SearchPane state={state} change={change} opened={null} />
    </Screen>
  );
}
