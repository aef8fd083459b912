import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Where the next key belongs, for everything that opens over the page: dialogs, menus, popovers and the palette take the
 * focus when they open, and give it back through here when they close. What is chosen in a menu or in the palette
 * happens after that, so that it finds the focus where it was, and may set it.
 */

/**
 * Gives the focus back to what had it when something opened, unless something else has it by then, such as a field that
 * was clicked. The result is what Radix calls when it has let the focus go.
 *
 * @param trigger gets it instead: a button that opens a menu need not have had the focus.
 */
export function useFocusBack(isOpen: boolean, trigger?: RefObject<HTMLElement | null>): (event: Event) => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement;
  }, [isOpen]);
  return (event) => {
    event.preventDefault();
    const to = trigger?.current ?? before.current;
    if (document.activeElement === document.body && to instanceof HTMLElement) to.focus({ preventScroll: true });
  };
}

const FIELDS = "input:not([type=checkbox], [type=radio], [type=file], :disabled), textarea:not(:disabled)";

/** Whether a field may have the focus unasked: on a touch screen its keyboard would cover what has just opened. */
export const isTyping = () => !matchMedia("(pointer: coarse)").matches;

/**
 * Puts the focus into what has opened: into its first field, else on itself. On a button nothing would be chosen yet but
 * its tooltip shown, and Escape would close that.
 */
function focusInto(box: HTMLElement): void {
  const field = isTyping() ? box.querySelector<HTMLInputElement | HTMLTextAreaElement>(FIELDS) : null;
  (field ?? box).focus({ preventScroll: true });
  // A proposal is there to be typed over, a text to be gone on with.
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
  else field?.select();
}

/** Called by Radix when something has opened. */
export function takeFocus(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) focusInto(event.currentTarget);
}

/**
 * Puts the focus into a field of a screen as soon as it is there.
 *
 * @param mayTake whether it may be taken from what has it; otherwise nothing has to.
 */
export function useFieldFocus(field: RefObject<HTMLElement | null>, mayTake: () => boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever comes later
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.id === "content";
    if (isTyping() && (mayTake() || isFree)) field.current?.focus({ preventScroll: true });
  }, []);
}

/**
 * Moves the focus from a row that is about to go to the one beside it, to the button in the same place.
 *
 * @param button removes its row, and is the last one in it.
 * @param rows selector of rows, which are siblings.
 */
export function focusBeside(button: HTMLElement, rows: string): void {
  const row = button.closest(rows);
  const beside = [row?.nextElementSibling, row?.previousElementSibling].find((one) => one?.matches(rows));
  const [last] = [...(beside?.querySelectorAll("button") ?? [])].slice(-1);
  last?.focus({ preventScroll: true });
}
