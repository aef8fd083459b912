/** Wide enough for the contents beside the conversation; otherwise they are an overlay. */
const WIDE = "(min-width: 70rem)";

/** Opens the contents at a section. */
export function showContents(selector: string): void {
  const contents = document.querySelector<HTMLElement>("#contents");
  if (contents === null) return;
  if (!matchMedia(WIDE).matches) contents.togglePopover();
  const place =
    contents.querySelector<HTMLElement>(`${selector}[aria-current]`) ?? contents.querySelector<HTMLElement>(selector);
  place?.focus();
}

/** Closes the overlay. */
export function hideContents(): void {
  const contents = document.querySelector<HTMLElement>("#contents");
  if (contents?.matches(":popover-open")) contents.hidePopover();
}
