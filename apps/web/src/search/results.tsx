import type { SessionRecord } from "@sm/router/client";
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useAgents } from "../client/agents.ts";
import { useSessions } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { errorText } from "../design/error-state.tsx";
import { Skeleton } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { focusSession } from "../shortcuts/pane-focus.ts";
import { HitRow, MoreRow, SessionHead } from "./hit-row.tsx";
import { indexOfOpened, type OpenedHit, type ResultRow, type SearchHit } from "./result-rows.ts";
import type { SearchLinks } from "./search-links.ts";

/** What others do with the results. */
export interface ResultsHandle {
  /** Puts the keyboard on the hit that it was on last, at first on the first one. */
  focus(): void;
  /** Goes from the hit that is open to the next one, or the one before, and tells it; `null` where there is none. */
  step(by: 1 | -1): SearchHit | null;
}

export interface ResultsProps {
  rows: readonly ResultRow[];
  /** Names the search: who comes back to the same finds the list as it was. */
  searchKey: string;
  /** Whether these are still the results of the search before. */
  isOld: boolean;
  /** The hit that is read beside them; `null` for none. */
  opened: OpenedHit | null;
  links: SearchLinks;
  hasMore: boolean;
  moreError: Error | null;
  onMore(): void;
  onOpen(): void;
  /** The keyboard goes back to where one types. */
  onLeave(): void;
  handle: Ref<ResultsHandle>;
}

const HEIGHTS = { session: 52, hit: 80, more: 36 } as const;
/** Rows before the last at which the next page is asked for. */
const AHEAD = 15;

/** Where the reader was in the results of a search when they were left. */
interface Left {
  searchKey: string;
  isBeside: boolean;
  offset: number;
  active: number;
  measured: VirtualItem[];
}

let left: Left | null = null;

/** The hits, of which only those in sight exist. Each is a link: the arrows go from one to the next. */
export function Results(props: ResultsProps) {
  const { rows, searchKey, isOld, opened, links, hasMore, moreError, onMore, onOpen, onLeave, handle } = props;
  const { records } = useSessions();
  const agents = useAgents();
  const projectOf = useProjectName();
  const agentNameOf = (record: SessionRecord | undefined) =>
    agents.find(({ format }) => format === record?.format)?.name ?? null;
  const isBeside = opened !== null;
  const [before] = useState(() => (left?.searchKey === searchKey ? left : null));
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(before?.active ?? -1);
  const isComing = useRef(true);
  const wantsFocus = useRef(before !== null && before.active >= 0);
  const virtualizer = useResultRows(scroller, { rows, searchKey, isOld, isBeside, active, setActive, before });
  const items = virtualizer.getVirtualItems();

  useEffect(() => {
    if (!wantsFocus.current) return;
    // Who is quick has gone on to the session by then.
    if (isComing.current && isBeside && document.activeElement !== document.body) wantsFocus.current = false;
    if (!wantsFocus.current) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"] [data-row]`);
    if (link == null) return;
    wantsFocus.current = false;
    isComing.current = false;
    link.focus({ preventScroll: true });
  });

  const lastIndex = items.at(-1)?.index ?? -1;
  const isNearEnd = lastIndex >= rows.length - AHEAD;
  useEffect(() => {
    if (hasMore && isNearEnd && moreError === null && !isOld) onMore();
  }, [hasMore, isNearEnd, moreError, isOld, onMore]);

  function goTo(index: number) {
    if (rows[index] === undefined) return;
    isComing.current = false;
    wantsFocus.current = true;
    setActive(index);
    // A heading above comes with its first hit.
    const isFirst = rows[index - 1]?.kind === "session";
    virtualizer.scrollToIndex(isFirst ? index - 1 : index, { align: "auto" });
    if (isFirst) virtualizer.scrollToIndex(index, { align: "auto" });
  }
  const focus = () => goTo(rows[active] === undefined ? rows.findIndex(isHit) : active);
  const openedIndex = opened === null ? -1 : indexOfOpened(rows, opened, active);
  function step(by: 1 | -1): SearchHit | null {
    const from = openedIndex < 0 ? active : openedIndex;
    const isOther = (row: ResultRow, index: number) => row.kind === "hit" && (by > 0 ? index > from : index < from);
    const to = by > 0 ? rows.findIndex(isOther) : rows.findLastIndex(isOther);
    const row = rows[to];
    if (row === undefined) return null;
    // Where the keyboard is in the results, it goes along.
    if (scroller.current?.contains(document.activeElement) === true) goTo(to);
    setActive(to);
    virtualizer.scrollToIndex(to, { align: "auto" });
    return row.hit;
  }
  useImperativeHandle(handle, () => ({ focus, step }));

  const onRead = () => opened !== null && focusSession(opened.path);

  // Who comes from elsewhere sees in the results what is open.
  const [isShown, setShown] = useState(before !== null && opened === null);
  useEffect(() => {
    if (isShown || openedIndex < 0) return;
    setShown(true);
    if (active < 0) setActive(openedIndex);
    virtualizer.scrollToIndex(openedIndex, { align: "center" });
  }, [isShown, openedIndex, active, virtualizer]);

  return (
    <section
      ref={scroller}
      aria-label={t("search.results")}
      data-results
      aria-busy={isOld}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard where it can be focused
      tabIndex={0}
      onKeyDown={(event) => onResultKey(event, { rows, active, goTo, onLeave, onRead })}
      onFocus={({ target }) => {
        const row = target.closest<HTMLElement>("[data-index]");
        if (row !== null) setActive(Number(row.dataset.index));
      }}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-offset-[-2px]"
    >
      <div
        className={classNames("relative mx-auto max-w-260 px-3 transition-opacity phone:px-1", isOld && "opacity-60")}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-3 top-0 phone:inset-x-1"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.kind === "session" ? (
                <SessionHead
                  hit={row.hit}
                  links={links}
                  record={records.get(row.hit.session_path)}
                  project={row.hit.cwd === null ? null : projectOf(row.hit.cwd)}
                  agentName={agentNameOf(records.get(row.hit.session_path))}
                  onOpen={onOpen}
                />
              ) : row.kind === "more" ? (
                <MoreRow hit={row.hit} links={links} />
              ) : (
                <HitRow
                  hit={row.hit}
                  isOpen={index === openedIndex}
                  owner={records.get(row.hit.session_path)?.owner ?? null}
                  links={links}
                  onOpen={onOpen}
                />
              )}
            </div>
          );
        })}
      </div>
      {moreError !== null && (
        <div role="alert" className="flex items-center justify-center gap-3 pb-8 text-danger text-sm">
          {t("search.more_failed")} {errorText(moreError)}
          <Button size="sm" onClick={onMore}>
            {t("frame.retry")}
          </Button>
        </div>
      )}
    </section>
  );
}

interface RowsOptions extends Pick<ResultsProps, "rows" | "searchKey" | "isOld"> {
  isBeside: boolean;
  active: number;
  setActive(active: number): void;
  before: Left | null;
}

/** Shows the rows that are in sight, where they were left or, of another search, from the top. */
function useResultRows(scroller: RefObject<HTMLElement | null>, options: RowsOptions) {
  const { rows, searchKey, isOld, isBeside, active, setActive } = options;
  // Heights are those of one width.
  const before = options.before?.isBeside === isBeside ? options.before : null;
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? "hit"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    paddingEnd: 40,
    initialOffset: before?.offset ?? 0,
    initialMeasurementsCache: before?.measured ?? [],
    // The one that has the focus stays there, however far one scrolls.
    rangeExtractor: (range) =>
      active < 0 || active >= rows.length
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), active])].sort((a, b) => a - b),
  });
  const latest = useRef({ searchKey, isBeside, active });
  latest.current = { searchKey, isBeside, active };
  useEffect(
    () => () => {
      left = {
        ...latest.current,
        offset: virtualizer.scrollOffset ?? 0,
        measured: virtualizer.measurementsCache,
      };
    },
    [virtualizer],
  );
  // Another search begins at its top.
  const shownKey = useRef(searchKey);
  useLayoutEffect(() => {
    if (shownKey.current === searchKey || isOld) return;
    shownKey.current = searchKey;
    setActive(-1);
    virtualizer.measure();
    virtualizer.scrollToOffset(0);
  }, [searchKey, isOld, setActive, virtualizer]);
  return virtualizer;
}

interface KeyOptions extends Pick<ResultsProps, "rows" | "onLeave"> {
  active: number;
  /** The keyboard goes to the session that is open. */
  onRead(): void;
  goTo(index: number): void;
}

/** Goes from hit to hit, and from the first one back to where one types. */
function onResultKey(event: KeyboardEvent, { rows, active, goTo, onLeave, onRead }: KeyOptions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const previous = rows.findLastIndex((row, index) => index < active && isHit(row));
  switch (event.key) {
    case "ArrowDown":
    case "j":
      goTo(rows.findIndex((row, index) => index > active && isHit(row)));
      break;
    case "ArrowUp":
    case "k":
      if (previous < 0) onLeave();
      else goTo(previous);
      break;
    case "ArrowRight":
      onRead();
      break;
    case "Home":
      goTo(rows.findIndex(isHit));
      break;
    case "End":
      goTo(rows.findLastIndex(isHit));
      break;
    case "Escape":
      onLeave();
      break;
    default:
      return;
  }
  event.preventDefault();
}

function isHit({ kind }: ResultRow): boolean {
  return kind !== "session";
}

const WIDTHS = ["w-2/5", "w-11/12", "w-4/5", "w-1/3", "w-5/6", "w-3/4"];

/** Stands in for the first results. */
export function SkeletonResults() {
  return (
    <div role="status" className="mx-auto w-full max-w-260 px-6 pt-6">
      <span className="sr-only">{t("search.searching")}</span>
      {WIDTHS.map((width, index) => (
        <Skeleton key={width} className={`${index % 3 === 0 ? "mt-6 mb-3 h-4" : "mt-3 h-9"} ${width}`} />
      ))}
    </div>
  );
}
