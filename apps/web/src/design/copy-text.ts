import { t } from "../i18n/text.ts";
import { toast } from "./toast.tsx";

/** Control characters but tab and line ends: to the terminal that a text is pasted into, they are keys. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;

/** Drops control characters, so that a text can be pasted anywhere without pressing a key. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, "");
}

/** Copies a text and tells so; or tells that the browser does not allow it, as on pages without TLS. */
export async function copyText(text: string): Promise<void> {
  const copied = await tryToCopy(text);
  toast(copied ? { text: t("frame.copied") } : { text: t("frame.copy_failed"), tone: "danger" });
}

/** Copies a text without its control characters; tells whether the browser allowed it. */
export async function tryToCopy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(withoutControls(text));
    return true;
  } catch {
    return false;
  }
}
