/** Which rows are chosen and where the keyboard is, in terms of paths: rows come, go and move. */
export interface Selection {
  /** Where the keyboard is. */
  readonly active: string | null;
  /** Where the range begins that shift extends. */
  readonly anchor: string | null;
  readonly selected: ReadonlySet<string>;
}

export const NO_SELECTION: Selection = { active: null, anchor: null, selected: new Set() };

/** Puts the keyboard on a row; what is chosen stays. */
export function focusRow(selection: Selection, path: string): Selection {
  return { ...selection, active: path, anchor: path };
}

/** Moves the keyboard by some rows, within the list; with `extend` all rows from the anchor to there are chosen. */
export function moveBy(selection: Selection, paths: readonly string[], by: number, extend: boolean): Selection {
  const from = selection.active === null ? -1 : paths.indexOf(selection.active);
  // From nowhere, down begins at the first row and up at the last.
  const wanted = from < 0 ? (by > 0 ? by - 1 : paths.length + by) : from + by;
  const to = paths[Math.max(0, Math.min(paths.length - 1, wanted))];
  if (to === undefined) return selection;
  return extend ? extendTo(selection, paths, to) : focusRow(selection, to);
}

/** Chooses all rows between the anchor and one, and no others. */
export function extendTo(selection: Selection, paths: readonly string[], path: string): Selection {
  const anchor = selection.anchor !== null && paths.includes(selection.anchor) ? selection.anchor : path;
  const [start = 0, end = 0] = [paths.indexOf(anchor), paths.indexOf(path)].sort((a, b) => a - b);
  return { active: path, anchor, selected: new Set(paths.slice(Math.max(0, start), end + 1)) };
}

/** Chooses a row, or no longer. */
export function toggleRow(selection: Selection, path: string): Selection {
  const selected = new Set(selection.selected);
  if (!selected.delete(path)) selected.add(path);
  return { active: path, anchor: path, selected };
}

/** Chooses all rows between the anchor and one, or no longer any of them, as the one is by itself; all others stay. */
export function toggleTo(selection: Selection, paths: readonly string[], path: string): Selection {
  const range = extendTo(selection, paths, path);
  const isOff = selection.selected.has(path);
  const others = [...selection.selected].filter((one) => !range.selected.has(one));
  return { ...range, selected: new Set(isOff ? others : [...others, ...range.selected]) };
}

export function selectAll(selection: Selection, paths: readonly string[]): Selection {
  return { ...selection, selected: new Set(paths) };
}

export function clearSelection(selection: Selection): Selection {
  return { ...selection, selected: NO_SELECTION.selected };
}

/**
 * Removes missing rows. Returns the same object if nothing changes.
 *
 * @param before the rows as they were: the keyboard goes on to the next one of these.
 */
export function pruneSelection(
  selection: Selection,
  has: (path: string) => boolean,
  before: readonly string[] = [],
): Selection {
  const isGone = (path: string | null) => path !== null && !has(path);
  const selected = [...selection.selected].filter(has);
  if (selected.length === selection.selected.size && !isGone(selection.active) && !isGone(selection.anchor)) {
    return selection;
  }
  const place = selection.active === null ? -1 : before.indexOf(selection.active);
  const next = place < 0 ? undefined : (before.slice(place).find(has) ?? before.slice(0, place).findLast(has));
  const active = isGone(selection.active) ? (next ?? null) : selection.active;
  return {
    active,
    anchor: isGone(selection.anchor) ? active : selection.anchor,
    selected: new Set(selected),
  };
}
