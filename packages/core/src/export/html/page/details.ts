import { partsInSight } from "./parts-in-sight.ts";
import { inSlices } from "./slices.ts";

/** Kinds toggled by the reader, with the order of toggling. */
const turns = new Map<string, { isOpen: boolean; turn: number }>();

/** Opens or closes all details of a kind, visible ones immediately. */
export function openAll(kind: string, isOpen: boolean): void {
  const turn = (turns.get(kind)?.turn ?? 0) + 1;
  turns.set(kind, { isOpen, turn });
  const selector = `details.${kind}`;
  const set = (details: HTMLDetailsElement) => {
    details.open = isOpen;
  };
  for (const part of partsInSight) for (const one of part.querySelectorAll<HTMLDetailsElement>(selector)) set(one);
  const others = document.querySelectorAll<HTMLDetailsElement>(selector);
  void inSlices(others, set, () => turns.get(kind)?.turn !== turn);
}

/** Whether the reader has opened all details of this kind. */
export function isOpened(details: Element): boolean {
  for (const [kind, { isOpen }] of turns) if (isOpen && details.classList.contains(kind)) return true;
  return false;
}

/** Opens all details around an element. */
export function reveal(element: Element): void {
  for (let at = element.closest("details:not([open])"); at !== null; at = at.closest("details:not([open])")) {
    at.setAttribute("open", "");
  }
}
