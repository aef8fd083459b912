import { t } from "../i18n/text.ts";
import { toast } from "./toast.tsx";

/** Copies a text and tells so; or tells that the browser does not allow it, as on pages without TLS. */
export async function copyText(text: string): Promise<void> {
  const copied = await tryToCopy(text);
  toast(copied ? { text: t("frame.copied") } : { text: t("frame.copy_failed"), tone: "danger" });
}

/** Copies a text; tells whether the browser allowed it. */
export async function tryToCopy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
