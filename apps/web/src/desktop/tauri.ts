import { type InvokeArgs, invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Desktop, OpenedPlace } from "./native-window.ts";

/** The desktop application, by its commands and events. The names are its own. */
export const desktop: Desktop = {
  openInBrowser: (url) => run("open_in_browser", { url }),
  saveExport: (path, suggestedName) => run("save_export", { path, suggestedName }),
  revealInFileManager: (path) => run("reveal_in_file_manager", { path }),
  notify: (title, body, address) => run("notify", { title, body, address }),
  showInTray: (rows) => run("show_in_tray", { rows }),
  pendingPlace: () => run("pending_place"),
  onOpened: (listener) => listen<OpenedPlace>("opened", ({ payload }) => listener(payload)),
  onMenu: (listener) => listen<{ action: string }>("menu", ({ payload }) => listener(payload.action)),
};

/** Commands reject with a text; what is shown of an error is its message. */
async function run<Answer>(command: string, args?: InvokeArgs): Promise<Answer> {
  try {
    return await invoke<Answer>(command, args);
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error));
  }
}
