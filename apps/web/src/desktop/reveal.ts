import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { loadDesktop } from "./desktop.ts";

/** Shows a file in the system's file manager. */
export async function reveal(path: string): Promise<void> {
  try {
    const desktop = await loadDesktop();
    await desktop.revealInFileManager(path);
  } catch (error) {
    toastError(t("desktop.reveal_failed"), error);
  }
}
