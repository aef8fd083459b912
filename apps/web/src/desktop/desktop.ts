import type { Desktop } from "./native-window.ts";

/** Whether this page is in the window of the desktop application. */
export const isDesktop = "__TAURI_INTERNALS__" in globalThis;

/** Loads the way to the desktop application; a browser never does. */
export async function loadDesktop(): Promise<Desktop> {
  return (await import("./tauri.ts")).desktop;
}
