import { useRouterState } from "@tanstack/react-router";
import { Bookmark, X } from "lucide-react";
import { usePreference } from "../browser/preference.ts";
import { IconButton } from "../design/button.tsx";
import { focusBeside } from "../design/focus.ts";
import { t } from "../i18n/text.ts";
import { type SavedSearch, savedSearches } from "../search/saved-searches.ts";
import { parseSearch } from "../url/search-params.ts";
import { RailLink, RailSection } from "./rail-link.tsx";

/** Searches that the user has kept. */
export function SavedSearchLinks() {
  const saved = usePreference(savedSearches);
  const href = useRouterState({ select: ({ location }) => `${location.pathname}${location.searchStr}` });
  if (saved.length === 0) return null;
  function forget(forgotten: SavedSearch, button: HTMLElement) {
    focusBeside(button, "[data-saved]");
    savedSearches.set(saved.filter((one) => one !== forgotten));
  }
  return (
    <RailSection title={t("rail.saved_searches")}>
      {saved.map((one) => (
        <div key={one.search} data-saved className="group relative">
          <RailLink
            icon={Bookmark}
            link={{ to: "/search", search: parseSearch(one.search) as object }}
            isCurrent={href === `/search${one.search}`}
            hasButton
          >
            {one.name}
          </RailLink>
          <IconButton
            icon={X}
            label={t("rail.forget_search", { name: one.name })}
            size="sm"
            className="absolute top-0.5 right-0.5 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 touch:top-0 touch:opacity-100"
            onClick={({ currentTarget }) => forget(one, currentTarget)}
          />
        </div>
      ))}
    </RailSection>
  );
}
