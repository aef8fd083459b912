/** The page has room for the contents beside the conversation; otherwise they are a sheet above it. */
const WIDE = "(min-width: 70rem)";

/** Takes the reader to a place in the contents. */
export function showContents(selector: string): void {
  const contents = document.querySelector<HTMLElement>("#contents");
  if (contents === null) return;
  if (!matchMedia(WIDE).matches) contents.togglePopover();
  const place =
    contents.querySelector<HTMLElement>(`${selector}[aria-current]`) ?? contents.querySelector<HTMLElement>(selector);
  place?.focus();
}

/** Closes the sheet, where it is one. */
export function hideContents(): void {
  const contents = document.querySelector<HTMLElement>("#contents");
  if (contents?.matches(":popover-open")) contents.hidePopover();
}
