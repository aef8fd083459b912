import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, Suspense, useMemo, useState } from "react";
import { useMayChange } from "../client/hub.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { Button, IconButton } from "../design/button.tsx";
import { TagDot } from "../design/chip.tsx";
import { classNames } from "../design/class-names.ts";
import { lazyPart } from "../design/lazy-part.ts";
import type { MenuPlace } from "../design/menu.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { RailLink, RailSection } from "./rail-link.tsx";
import { tagAt } from "./tag-at.ts";
import type { AskedOfTag } from "./tags/tag-menu.tsx";
import { useTagDrag } from "./use-tag-drag.ts";

const TagMenu = lazyPart(
  withTexts(() => import("./tags/tag-menu.tsx")),
  "TagMenu",
);
const loadActions = withTexts(() => import("./tags/tag-actions.ts"));

/** Links that are added at once: all of a thousand would take too long. */
const MORE = 100;

const TARGET = "rounded-md outline-2 outline-accent";

/** The user's tags as a tree, with a menu for each. */
export function TagLinks() {
  const tags = useTags();
  const service = useService();
  const mayChange = useMayChange();
  const { records, isPart } = useSessions();
  const { tag: chosen } = useListSearch();
  const [most, setMost] = useState(MORE);
  const [isMenuWanted, setMenuWanted] = useState(false);
  const wantMenu = () => setMenuWanted(true);
  const [asked, setAsked] = useState<AskedOfTag | null>(null);
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { tag_ids } of records.values()) for (const id of tag_ids) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  }, [records]);
  const { target, events } = useTagDrag(tags, async (id, parentId) => {
    const tag = tags.byId.get(id);
    const { moveTag } = await loadActions();
    if (tag !== undefined) await moveTag(service, tag, parentId);
  });

  /** Whoever asks for a menu has the focus back afterwards; not every browser focuses what is clicked. */
  function showMenu(id: string, asking: Element, at: MenuPlace) {
    if (asking instanceof HTMLElement) asking.focus({ preventScroll: true });
    setAsked({ id, what: "menu", at });
  }

  function onContextMenu(event: MouseEvent) {
    const link = (event.target as Element).closest("[data-tag] a");
    const id = tagAt(event.target);
    if (id === null || link === null || !mayChange) return;
    event.preventDefault();
    showMenu(id, link, { x: event.clientX, y: event.clientY });
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, target: link } = event;
    const id = tagAt(link);
    if (id === null || !(link instanceof HTMLAnchorElement) || !mayChange) return;
    if (key === "F2") setAsked({ id, what: "edit" });
    else if (key === "Delete") setAsked({ id, what: "delete" });
    else if (key === "ContextMenu" || (event.shiftKey && key === "F10")) {
      const { left, bottom } = link.getBoundingClientRect();
      showMenu(id, link, { x: left + 24, y: bottom, byKey: true });
    } else return;
    event.preventDefault();
  }

  if (tags.inOrder.length === 0) return null;
  const shown = tags.inOrder.slice(0, most);
  const surplus = tags.inOrder.length - shown.length;
  return (
    <>
      <RailSection
        title={t("rail.tags")}
        className={target === null ? TARGET : undefined}
        onPointerEnter={wantMenu}
        onFocus={wantMenu}
        onContextMenu={onContextMenu}
        onKeyDown={onKeyDown}
        {...(mayChange && events)}
      >
        {shown.map(({ tag, depth }) => (
          <div key={tag.id} data-tag={tag.id} className={classNames("group relative", target === tag.id && TARGET)}>
            <RailLink
              mark={
                <span className="flex size-4 shrink-0 items-center justify-center">
                  <TagDot color={tag.color} />
                </span>
              }
              depth={depth}
              link={{ to: "/", search: { tag: [tag.id] } }}
              isCurrent={chosen?.length === 1 && chosen[0] === tag.id}
              count={isPart ? tag.session_count : (counts.get(tag.id) ?? 0)}
              hasButton={mayChange}
            >
              {tag.name}
            </RailLink>
            {mayChange && (
              <IconButton
                icon={Ellipsis}
                label={t("list.menu_of", { title: tag.name })}
                size="sm"
                aria-haspopup="menu"
                aria-expanded={asked?.id === tag.id && asked.what === "menu"}
                className="absolute top-0.5 right-0.5 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 group-has-focus-visible:opacity-100 aria-expanded:opacity-100 touch:top-0 touch:opacity-100"
                onClick={({ currentTarget, detail }) => {
                  const { left, bottom } = currentTarget.getBoundingClientRect();
                  showMenu(tag.id, currentTarget, { x: left, y: bottom, byKey: detail === 0 });
                }}
              />
            )}
          </div>
        ))}
        {surplus > 0 && (
          <Button variant="ghost" size="sm" className="ml-6 text-faint" onClick={() => setMost(most + MORE)}>
            {t("rail.show_all", { count: surplus })}
          </Button>
        )}
      </RailSection>
      <Suspense>{isMenuWanted && <TagMenu asked={asked} onAsk={setAsked} />}</Suspense>
    </>
  );
}
