import { visibleCode } from "@sm/core/rendering";
import { isDesktop, loadDesktop } from "./desktop.ts";

export type NotificationRight = NotificationPermission | "missing";

/** Whether notifications can be shown; `missing` where the browser has none for this page, as without TLS. */
export function notificationRight(): NotificationRight {
  if (isDesktop) return "granted";
  return "Notification" in globalThis ? Notification.permission : "missing";
}

/** Has the browser ask the user, unless they have answered before. */
export function askForNotifications(): Promise<NotificationRight> {
  const right = notificationRight();
  return right === "default" ? Notification.requestPermission() : Promise.resolve(right);
}

export interface NotificationContent {
  title: string;
  body: string;
  /** A later notification with the same takes its place. */
  about: string;
  /** Address within the page, which a click leads to. */
  address: string;
}

/**
 * Shows a notification where that is possible.
 *
 * @param goTo leads a page in a browser to the address. The application's window comes to the front by itself, and opens
 *   the address as it opens links.
 */
export async function showNotification(content: NotificationContent, goTo: (address: string) => void): Promise<void> {
  const { about, address } = content;
  const title = visibleCode(content.title);
  const body = visibleCode(content.body);
  try {
    if (isDesktop) {
      const desktop = await loadDesktop();
      return await desktop.notify(title, body, address);
    }
    const shown = new Notification(title, { body, tag: about });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
      goTo(address);
    });
  } catch {
    // Phones have no notifications for pages, and some systems cannot show any: the information is also on the page.
  }
}
