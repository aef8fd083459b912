import { useEffect } from "react";

/** Path of the session whose text gets the focus as soon as it is there. */
let asked: string | null = null;
/** Takes the focus into the session that is open, if it is asked for. */
let take: (() => void) | null = null;

/** Moves the focus from the list into the text of a session, which may not be there yet. */
export function focusSession(path: string): void {
  asked = path;
  take?.();
}

/** What the user does meanwhile goes on where it is done. */
export function stayInList(): void {
  asked = null;
}

/** Lets the list give the focus to the text of a session. */
export function useSessionFocus(path: string, text: () => HTMLElement | null | undefined): void {
  // After every render: the text comes when it has been read.
  useEffect(() => {
    const takeFocus = () => {
      const box = text();
      if (asked !== path || box == null) return;
      asked = null;
      const { activeElement } = document;
      // What has been clicked meanwhile keeps it.
      if (activeElement === document.body || list()?.contains(activeElement) === true)
        box.focus({ preventScroll: true });
    };
    take = takeFocus;
    takeFocus();
    return () => {
      if (take === takeFocus) take = null;
    };
  });
}

/** Moves the focus from what is read back to the list beside it; tells whether there is one. */
export function focusList(): boolean {
  list()?.focus({ preventScroll: true });
  return document.activeElement === list();
}

/** The list, or results of a search in its place. */
const list = () => document.querySelector<HTMLElement>("[role=grid][data-keys], [data-results]");
