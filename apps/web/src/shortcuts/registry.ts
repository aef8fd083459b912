import type { PlainTextKey } from "../i18n/text.ts";
import { type Keys, type Stroke, strokeOf } from "./keys.ts";

/** Where an action stands in the palette and in the list of shortcuts. */
export type ActionGroup = "go" | "list" | "focused_list" | "session" | "view" | "live";

/** What the groups are called, in the order in which they are shown. */
export const GROUP_TITLES: Readonly<Record<ActionGroup, PlainTextKey>> = {
  session: "shortcuts.group_session",
  list: "shortcuts.group_list",
  focused_list: "shortcuts.group_focused_list",
  live: "shortcuts.group_live",
  go: "shortcuts.group_go",
  view: "shortcuts.group_view",
};

/** Something that can be done now: in the palette, and with keys where it has some. */
export interface Action {
  /** One name for one action. Of two with the same, the later stands. */
  id: string;
  title: PlainTextKey;
  group: ActionGroup;
  /** See `Keys`; none for what only the palette has. Several where one does as well as another. */
  keys?: Keys | readonly Keys[];
  /** Works in fields too, where keys type text otherwise. */
  inFields?: boolean;
  /** Its keys do nothing in what stands beside the screen, such as the list, which may have others for them. */
  isOfScreen?: boolean;
  /** Its keys are its alone while it is there, whatever is added later. */
  comesFirst?: boolean;
  /** Leaves it out of the palette, such as moving by one row. */
  onlyKeys?: boolean;
  /** Its keys are those of a pane, which handles them while it has the focus. Here they are only told. */
  isShownOnly?: boolean;
  run(): void;
}

/** Everything that can be done now. */
export interface ActionRegistry {
  /** Adds actions until what is returned is called. */
  add(actions: readonly Action[]): () => void;
  list(): readonly Action[];
  subscribe(listener: () => void): () => void;
  /** Runs the action of a key, or begins a sequence of keys. Tells whether the key was one of an action. */
  press(stroke: Stroke, inField: boolean, isBeside?: boolean): boolean;
}

/** How long after the first key of a sequence the second one may come, in milliseconds. */
const SEQUENCE_MS = 1_500;

export function createActionRegistry(now: () => number = () => performance.now()): ActionRegistry {
  const listeners = new Set<() => void>();
  let sets: readonly (readonly Action[])[] = [];
  let actions: readonly Action[] = [];
  let begun: { stroke: string; at: number } | null = null;

  return {
    add(added) {
      const set = [...added];
      update([...sets, set]);
      return () => update(sets.filter((one) => one !== set));
    },
    list: () => actions,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    press(stroke, inField, isBeside = false) {
      const last = strokeOf(stroke);
      const usable = actions.filter(
        ({ inFields, isShownOnly, isOfScreen }) =>
          !isShownOnly && (!inField || inFields === true) && (!isBeside || isOfScreen !== true),
      );
      const sequence = begun !== null && now() - begun.at <= SEQUENCE_MS ? `${begun.stroke} ${last}` : null;
      begun = null;
      const found = usable.find((action) => has(action, sequence)) ?? usable.find((action) => has(action, last));
      if (found !== undefined) {
        found.run();
        return true;
      }
      if (!usable.some((action) => keysOf(action).some((keys) => keys.startsWith(`${last} `)))) return false;
      begun = { stroke: last, at: now() };
      return true;
    },
  };

  function update(next: readonly (readonly Action[])[]): void {
    sets = next;
    const byId = new Map<string, Action>();
    // What was added last comes first: a dialog's keys win over those of the page below it.
    for (const action of sets.toReversed().flat()) if (!byId.has(action.id)) byId.set(action.id, action);
    const first = [...byId.values()].filter(({ comesFirst }) => comesFirst === true);
    for (const { id } of first) byId.delete(id);
    actions = [...first, ...byId.values()];
    for (const listener of [...listeners]) listener();
  }
}

export function keysOf({ keys = [] }: Action): readonly Keys[] {
  return typeof keys === "string" ? [keys] : keys;
}

/**
 * The keys that each action really has now: what was added last has taken those of others. Actions without any are left
 * out.
 */
export function keysInForce(actions: readonly Action[]): { action: Action; keys: readonly Keys[] }[] {
  const taken = new Set<Keys>();
  return actions
    .map((action) => {
      const keys = keysOf(action).filter((one) => action.isShownOnly === true || !taken.has(one));
      if (action.isShownOnly !== true) for (const one of keys) taken.add(one);
      return { action, keys };
    })
    .filter(({ keys }) => keys.length > 0);
}

function has(action: Action, keys: Keys | null): boolean {
  return keys !== null && keysOf(action).includes(keys);
}
