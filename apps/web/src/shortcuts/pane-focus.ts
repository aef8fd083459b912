import { useEffect } from "react";

/** Path of the session whose text gets the focus as soon as it is there, and what had it then. */
let asked: { path: string; from: Element | null } | null = null;
/** Path of the session whose agent the user has asked for. */
let awaited: string | null = null;
/** Takes the focus into the session that is open, if it is asked for. */
let take: (() => void) | null = null;

/** Moves the focus into the text of a session, or to where its agent is answered, which may not be there yet. */
export function focusSession(path: string): void {
  awaited = null;
  asked = { path, from: document.activeElement };
  take?.();
}

/** Moves the focus to where the agent of a session is answered, as soon as that is there. */
export function awaitPrompt(path: string): void {
  focusSession(path);
  awaited = path;
}

/** Whether the user waits for the prompt of this session, which takes the focus then: once. */
export function isPromptAwaited(path: string): boolean {
  if (awaited !== path) return false;
  awaited = null;
  return true;
}

/** What the user does meanwhile goes on where it is done. */
export function stayInList(): void {
  asked = null;
  awaited = null;
}

/** Lets the list give the focus to the text of a session. */
export function useSessionFocus(path: string | null, text: () => HTMLElement | null | undefined): void {
  // After every render: the text comes when it has been read.
  useEffect(() => {
    const takeFocus = () => {
      const box = text();
      if (asked === null || asked.path !== path || box == null) return;
      const { from } = asked;
      asked = null;
      const { activeElement } = document;
      // What has been clicked meanwhile keeps it.
      const isUnmoved = activeElement === document.body || activeElement === from;
      if (isUnmoved || list()?.contains(activeElement) === true) box.focus({ preventScroll: true });
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
