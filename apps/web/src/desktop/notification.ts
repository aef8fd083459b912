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
  /** For a browser; the application's window comes to the front by itself. */
  onClick(): void;
}

/** Shows a notification where that is possible. */
export async function showNotification(content: NotificationContent): Promise<void> {
  const { about, onClick } = content;
  const title = visibleCode(content.title);
  const body = visibleCode(content.body);
  try {
    if (isDesktop) {
      const desktop = await loadDesktop();
      return await desktop.notify(title, body);
    }
    const shown = new Notification(title, { body, tag: about });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
      onClick();
    });
  } catch {
    // Phones have no notifications for pages, and some systems cannot show any: the information is also on the page.
  }
}
