import { measureElement, useVirtualizer } from "@tanstack/react-virtual";
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useEntryContext } from "../entries/entry-context.ts";
import { focusList } from "../shortcuts/pane-focus.ts";
import { NO_ADDITIONS, type PlacedAdditions } from "./additions.ts";
import type { Addition } from "./attachment.ts";
import type { BranchPages } from "./branch-pages.ts";
import { DayInSight } from "./day-mark.tsx";
import { type DatedEntries, startsDay } from "./days.ts";
import { estimatedHeight } from "./estimate.ts";
import { ReadingRuns } from "./reading-runs.ts";
import { RowView, useRows } from "./row-view.tsx";
import { useFollowing, useHands, useRoom } from "./scrolling.ts";
import { type Sight, useSight } from "./use-sight.ts";

/** Rows rendered beyond the visible ones; those without height count too. */
const OVERSCAN = 10;
/** Frames for which a text is held where it was brought. */
const HOLDING_FRAMES = 30;
/** Frames for which an entry is held at most while those around it are loaded. */
const MOST_FRAMES = 600;
/** Pixels around the rows of a list. */
const PADDING = { start: 16, end: 48 };
/** Pixels that the row behind all entries is guessed to have. */
const END_HEIGHT = 24;

/** What is held in its place until nothing has moved it for some frames. */
interface Held {
  /** Brings it there; tells whether it exists still. */
  bring(box: HTMLElement, held: Held): boolean;
  frames: number;
  most: number;
}

/** What others do with a list. */
export interface TranscriptListHandle {
  scrollTo(place: number, align: "start" | "center" | "auto" | "end"): void;
  /** Brings a text in a row into sight, whatever else is being scrolled to. */
  show(text: Range): void;
  /** Puts an entry where it was: so many pixels of it above the window. */
  putBack(place: number, hidden: number): void;
  /** Keeps what is in sight where it is, also when what comes below it becomes shorter than the window. */
  keepPlace(): void;
  /** Whether a message is shown by the line of its run alone. */
  isFolded(place: number): boolean;
  /** The first place in sight. */
  firstInSight(): number;
  element: HTMLElement | null;
}

interface TranscriptListProps {
  label: string;
  pages: BranchPages;
  /** The first place that is shown. */
  from?: number;
  currentId: string | null;
  /** What is not in the file, where it belongs. */
  additions?: PlacedAdditions;
  /** What is being said, behind all else; `undefined` where nothing is. */
  now?: ReactNode;
  /** Whether the end stays in sight while the list grows. */
  isFollowing: boolean;
  onFollow(isFollowing: boolean): void;
  /** Told the first place in sight, when it becomes another. */
  onPlace?(place: number): void;
  /** Told on which place the window begins, with so many pixels of it above, whenever it is scrolled. */
  onScrolled?(place: number, hidden: number): void;
  handle?: Ref<TranscriptListHandle>;
}

/**
 * The entries of a branch, of which only those in sight are elements. Each place of the branch is a row, so that the
 * length of the list is known from the beginning and nothing moves when entries are loaded.
 */
export function TranscriptList(props: TranscriptListProps) {
  const { label, pages, from = 0, currentId, additions = NO_ADDITIONS, now } = props;
  const { isFollowing, onFollow, onPlace, onScrolled, handle } = props;
  const { tree, disclosures, labels, notes, contextEdits, truncated } = useEntryContext();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(pages);
  const { ids } = pages;
  const dated = useMemo<DatedEntries>(
    () => ({
      itemAt: (place) => pages.item(place),
      timeAt: (place) => pages.item(place)?.timestamp ?? tree?.entry(ids[place] ?? "")?.timestamp,
    }),
    [pages, ids, tree],
  );
  // What is held changes without the pages becoming others.
  const { changes } = pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const runs = useMemo(() => {
    const hasMark = (id: string) =>
      Object.hasOwn(labels, id) || notes.has(id) || contextEdits.has(id) || truncated.has(id);
    const isMarked = (id: string) => hasMark(id) || (tree?.forkAt(id) ?? null) !== null;
    return new ReadingRuns({ itemAt: dated.itemAt, from, isMarked, startsDay: (place) => startsDay(place, dated) });
  }, [dated, changes, from, labels, notes, contextEdits, truncated, tree]);
  /** Whether a message is shown by the line of its run alone, which stands above. */
  const isFolded = (place: number) => {
    const run = runs.at(place);
    return run !== null && place !== run.first && !disclosures.isAnyOpen("runs", run.ids);
  };
  const entries = Math.max(0, pages.total - from);
  const count = now === undefined ? entries : entries + 1;

  const getItemKey = useCallback(
    (index: number) => (index === entries ? "end" : (ids[index + from] ?? `place ${index + from}`)),
    [ids, from, entries],
  );
  // The virtualizer forgets a height that is what was guessed, and takes another guess for it later.
  const [measured] = useState(() => new Map<string, number>());
  // Each height that is measured has all rows below laid out anew.
  const estimates = useMemo(() => ids.map((id) => estimatedHeight(tree?.entry(id ?? "") ?? null)), [tree, ids]);
  const guessedHeight = (place: number) => {
    if (place === entries + from) return END_HEIGHT;
    return pages.item(place) !== undefined && isFolded(place) ? 0 : (estimates[place] ?? 0);
  };
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => measured.get(getItemKey(index)) ?? guessedHeight(index + from),
    measureElement(element, entry, instance) {
      const height = measureElement(element, entry, instance);
      measured.set(getItemKey(instance.indexFromElement(element)), height);
      return height;
    },
    getItemKey,
    overscan: OVERSCAN,
    paddingStart: PADDING.start,
    paddingEnd: PADDING.end,
    scrollPaddingStart: PADDING.start,
  });
  const items = virtualizer.getVirtualItems();
  const firstPlace = (items[0]?.index ?? 0) + from;
  const endPlace = Math.min((items.at(-1)?.index ?? -1) + 1, entries) + from;

  const height = virtualizer.getTotalSize();
  const { room, keepRoom } = useRoom(scroller, height, isFollowing);
  useLayoutEffect(() => {
    if (isFollowing && height > PADDING.start + PADDING.end) virtualizer.scrollToEnd();
  }, [virtualizer, isFollowing, height]);

  useEffect(() => {
    if (endPlace > firstPlace) pages.show(firstPlace, endPlace);
  }, [pages, firstPlace, endPlace]);

  /** Rows above are still to be measured when one jumps far: the text is brought back where they move it. */
  const held = useRef<Held | null>(null);
  const tell = (sight: Sight | null) => {
    if (sight !== null) onScrolled?.(sight.index + from, sight.hidden);
  };
  const sight = useSight({
    virtualizer,
    scroller,
    getItemKey,
    count,
    isFollowing,
    // What is on its way to its place is nowhere yet.
    onScrolled: (now) => held.current === null && tell(now),
  });
  const onSettled = useRef(() => {});
  onSettled.current = () => tell(sight.current());

  const placeInSight = Math.min(virtualizer.range?.startIndex ?? 0, Math.max(0, entries - 1)) + from;
  useEffect(() => onPlace?.(placeInSight), [onPlace, placeInSight]);

  const holding = useRef(0);
  const hold = useCallback((next: Held) => {
    held.current = next;
    cancelAnimationFrame(holding.current);
    const step = () => {
      if (held.current === null || scroller.current === null) return;
      held.current.frames--;
      held.current.most--;
      const isKept = held.current.bring(scroller.current, held.current);
      if (isKept && held.current.frames > 0 && held.current.most > 0) holding.current = requestAnimationFrame(step);
      else {
        held.current = null;
        onSettled.current();
      }
    };
    step();
  }, []);
  const latestFolded = useRef(isFolded);
  latestFolded.current = isFolded;
  useImperativeHandle(
    handle,
    () => ({
      scrollTo: (place, align) => virtualizer.scrollToIndex(place - from, { align }),
      show(text) {
        virtualizer.cancelScroll();
        hold({ bring: (box) => showText(box, text), frames: HOLDING_FRAMES, most: HOLDING_FRAMES });
      },
      putBack(place, hidden) {
        virtualizer.scrollToIndex(place - from, { align: "start" });
        hold({
          bring(box, now) {
            const row = box.querySelector(`[data-index="${place - from}"]`);
            if (row === null) {
              // Heights that have become known have put it elsewhere.
              virtualizer.scrollToIndex(place - from, { align: "start" });
              now.frames = HOLDING_FRAMES;
              return true;
            }
            virtualizer.cancelScroll();
            const away = row.getBoundingClientRect().top - box.getBoundingClientRect().top + hidden;
            if (Math.abs(away) > 1) box.scrollTop += away;
            // What is still loaded or measured in sight moves it once more.
            if (Math.abs(away) > 1 || box.querySelector(".placeholder") !== null) now.frames = HOLDING_FRAMES;
            return true;
          },
          frames: HOLDING_FRAMES,
          most: MOST_FRAMES,
        });
      },
      keepPlace: keepRoom,
      isFolded: (place) => latestFolded.current(place),
      firstInSight: () => (virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)?.index ?? 0) + from,
      get element() {
        return scroller.current;
      },
    }),
    [virtualizer, from, hold, keepRoom],
  );
  useHands(scroller, () => {
    held.current = null;
  });
  useFollowing(scroller, onFollow);

  return (
    <section
      ref={scroller}
      data-keys="scrolls"
      className="transcript-scroller"
      aria-label={label}
      aria-busy={!pages.isOpen}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard where it can be focused
      tabIndex={0}
      onKeyDown={leaveForList}
    >
      <DayInSight time={dated.timeAt(placeInSight) ?? null} isShown={virtualizer.isScrolling} />
      <div className="transcript-rows" style={{ height: Math.max(height, room) }}>
        {items.map(({ key, index, start }) => {
          const place = index + from;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="transcript-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              {index === entries ? (
                <>
                  <Additions of={additions.atEnd} />
                  {now}
                </>
              ) : (
                <>
                  <RowView
                    place={place}
                    row={rows(place)}
                    run={runs.at(place)}
                    pages={pages}
                    currentId={currentId}
                    startsDay={place === from || startsDay(place, dated)}
                  />
                  <Additions of={additions.after.get(place)} />
                </>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Additions({ of = [] }: { of: readonly Addition[] | undefined }) {
  return of.map(({ key, content }) => <Fragment key={key}>{content}</Fragment>);
}

/** Escape leads back to the list from anywhere in the text; the arrow only from itself: code in it is scrolled with it. */
function leaveForList(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  // What is opened from here is somewhere else in the document.
  const leaves =
    key === "Escape" ? currentTarget.contains(target as Node) : key === "ArrowLeft" && target === currentTarget;
  if (leaves && focusList()) event.preventDefault();
}

/** Brings a text into the middle of the list, and of the code that it is in; tells whether it is there still. */
function showText(box: HTMLElement, text: Range): boolean {
  const code = text.startContainer.parentElement?.closest("pre");
  if (code != null) center(code, text);
  center(box, text);
  return text.startContainer.isConnected;
}

/** Scrolls a box until a text is in its middle. */
function center(box: HTMLElement, text: Range): void {
  const inner = text.getBoundingClientRect();
  const outer = box.getBoundingClientRect();
  const away = inner.top - outer.top - (box.clientHeight - inner.height) / 2;
  if (Math.abs(away) > 1) box.scrollTop += away;
  if (inner.right > outer.right || inner.left < outer.left) box.scrollLeft += inner.left - outer.left - 16;
}
