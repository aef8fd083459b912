import { createPreference } from "../browser/preference.ts";
import { isDesktop } from "./desktop.ts";

/** Whether to notify about agents while the page is in the background. Browsers ask for permission first. */
export const notificationPreference = createPreference("notifications", isDesktop, (stored) => stored === true);
