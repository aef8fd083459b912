import { useEffect } from "react";
import { whenIdle } from "./lazy-part.ts";

/** Milliseconds after which everything else is loaded all the same. */
const LATEST_MS = 2_000;

let tell: () => void = () => undefined;
const shown = new Promise<void>((resolve) => {
  tell = resolve;
});

/** Resolves when what the address of the page names is in sight. Whatever is not part of it waits for that. */
export function firstScreen(): Promise<void> {
  setTimeout(tell, LATEST_MS);
  return shown;
}

/** Tells whether it is. */
export function useFirstScreen(isShown: boolean): void {
  useEffect(() => (isShown ? whenIdle(tell) : undefined), [isShown]);
}
