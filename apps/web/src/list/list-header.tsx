import { ArrowDownWideNarrow, ListFilter, Search, UsersRound } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { IconButton } from "../design/button.tsx";
import { Input } from "../design/input.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { MenuButton } from "../design/menu-button.tsx";
import { ScreenHeader, useTitle } from "../design/screen.tsx";
import { requestProjectShare } from "../hub/share-request.ts";
import { useIsShareable } from "../hub/use-is-shareable.ts";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import type { ListSearch } from "./list-search.ts";
import { useChangeListSearch } from "./use-list-search.ts";

const FilterMenu = lazyPart(
  withTexts(() => import("./filter-menu.tsx")),
  "FilterMenu",
);
const ArrangeMenu = lazyPart(
  withTexts(() => import("./arrange-menu.tsx")),
  "ArrangeMenu",
);

interface ListHeaderProps {
  search: ListSearch;
  shown: number;
  /** Puts the keyboard on the first row. */
  onFirst(): void;
  /** Opens the first session of this text, as soon as the list is of it. */
  onEnter(text: string): void;
  onArchiveOld(): void;
}

/** What the list is of, and what changes it. */
export function ListHeader({ search, shown, onFirst, onEnter, onArchiveOld }: ListHeaderProps) {
  const { records, archived, total: all, isPart } = useSessions();
  const isShareable = useIsShareable(search.project ?? null);
  const isArchive = search.archived === true;
  const total = isArchive ? archived.size : isPart ? all : records.size;
  const tags = useTags();
  const projectOf = useProjectName();
  const [tagId] = search.tag ?? [];
  const title =
    search.project !== undefined
      ? projectOf(search.project)
      : search.favorites === true
        ? t("rail.favorites")
        : isArchive
          ? t("rail.archived")
          : (search.tag?.length === 1 && tags.byId.get(tagId ?? "")?.name) || t("rail.sessions");
  useTitle(title);
  const count = shown === total ? t("list.count", { count: shown }) : t("list.count_of", { shown, total });
  return (
    <>
      <ScreenHeader
        title={title}
        className="pr-2!"
        actions={
          <>
            <output className="shrink-0 pr-1 text-faint text-xs tabular-nums">{count}</output>
            {isShareable && (
              <IconButton
                icon={UsersRound}
                label={t("rail.share_project_title")}
                onClick={() => requestProjectShare(search.project ?? null)}
              />
            )}
            <MenuButton icon={ListFilter} label={t("list.filters")}>
              {(menu) => <FilterMenu {...menu} search={search} />}
            </MenuButton>
            <MenuButton icon={ArrowDownWideNarrow} label={t("list.arrange")}>
              {(menu) => <ArrangeMenu {...menu} search={search} onArchiveOld={onArchiveOld} />}
            </MenuButton>
          </>
        }
      />
      <div className="shrink-0 px-3 pb-2">
        <TextFilter text={search.q ?? ""} onFirst={onFirst} onEnter={onEnter} />
      </div>
    </>
  );
}

/** Input appears in the field immediately, in the URL and the list after a pause. */
function TextFilter({ text, onFirst, onEnter }: { text: string } & Pick<ListHeaderProps, "onFirst" | "onEnter">) {
  const change = useChangeListSearch();
  const [typed, setTyped] = useState(text);
  const [told, setTold] = useState(text);
  // Changed from outside: by a link, or by navigating back.
  if (text !== told) {
    setTold(text);
    setTyped(text);
  }
  const tell = useCallback(
    (wanted: string) => {
      setTold(wanted);
      change({ q: wanted || undefined }, { replace: true });
    },
    [change],
  );
  useEffect(() => {
    if (typed.trim() === told) return;
    const timer = setTimeout(() => tell(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, told, tell]);
  return (
    <Input
      id="list-filter"
      type="search"
      icon={Search}
      aria-label={t("list.filter")}
      placeholder={t("list.filter")}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onClear={() => setTyped("")}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") {
          if (typed.trim() !== told) tell(typed.trim());
          return onEnter(typed.trim());
        }
        if (event.key !== "Escape" && event.key !== "ArrowDown") return;
        event.preventDefault();
        if (event.key === "Escape") setTyped("");
        else onFirst();
        document.querySelector<HTMLElement>("[role=grid]")?.focus();
      }}
    />
  );
}

const TYPING_MS = 120;
