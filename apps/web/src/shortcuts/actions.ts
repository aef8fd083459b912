import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { offerToPane } from "./pane-keys.ts";
import { type Action, createActionRegistry } from "./registry.ts";

const registry = createActionRegistry();

/**
 * Registers actions while the component is mounted: `useActions([{ id: "list.reload", title: "list.reload", group:
 * "list", keys: "r", run: reload }])`. They may be recreated in every render.
 */
export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  // Running always means the newest; the registry only has to know of other names and keys.
  const shape = JSON.stringify(actions.map(({ run: _run, ...action }) => action));
  // Before the first paint: shortcuts must work as soon as content is visible.
  useLayoutEffect(() => {
    const shaped = JSON.parse(shape) as Omit<Action, "run">[];
    return registry.add(
      shaped.map((action) => ({
        ...action,
        run: () => latest.current.find(({ id }) => id === action.id)?.run(),
      })),
    );
  }, [shape]);
}

/** Everything that can be done now, what was added last first. */
export function useAllActions(): readonly Action[] {
  return useSyncExternalStore(registry.subscribe, registry.list);
}

/** Runs an action by its id; tells whether it can be done now. */
export function runAction(id: string): boolean {
  const action = isCovered() ? undefined : registry.list().find((one) => one.id === id);
  action?.run();
  return action !== undefined;
}

/** Runs actions by their keys, once for the page. */
export function useKeyboard(): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Already handled by a closer element, or part of character composition.
      if (event.defaultPrevented || event.isComposing) return;
      if (isCovered()) return;
      const isTaken = registry.press(event, isField(event.target), isBeside(event.target)) || offerToPane(event);
      if (isTaken) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Whether a dialog or a menu is open, which keeps keys and actions to itself. */
function isCovered(): boolean {
  return document.querySelector("[role=dialog][data-state=open], [role=menu][data-state=open]") !== null;
}

/** Whether the focus is in what stands beside the screen: the list, or the navigation. */
function isBeside(target: EventTarget | null): boolean {
  const content = document.getElementById("content");
  return target instanceof Element && content !== null && !content.contains(target) && !target.contains(content);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}
