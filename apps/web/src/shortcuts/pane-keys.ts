/** Keys that move in what is listed or read. */
const MOVES = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "j", "k", " "]);

/**
 * Gives a key that moves, and that nothing has the focus for, to the pane that says `data-keys`: what is read, else the
 * list. Tells whether one has taken it.
 */
export function offerToPane({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isNowhere = target === document.body || (target instanceof HTMLElement && target.id === "content");
  if (!isNowhere || ctrlKey || metaKey || altKey || !MOVES.has(key)) return false;
  const pane = [...document.querySelectorAll<HTMLElement>("[data-keys]")].at(-1);
  pane?.focus({ preventScroll: true });
  // A box that scrolls does so by itself, once it has the focus.
  if (pane?.dataset.keys !== "handled") return false;
  return !pane.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
}
