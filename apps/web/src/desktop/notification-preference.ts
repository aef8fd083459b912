import { createPreference } from "../browser/preference.ts";
import { isDesktop } from "./desktop.ts";

/** Whether the user is told of agents while the page is not in front. A browser's page asks first. */
export const notificationPreference = createPreference("notifications", isDesktop, (stored) => stored === true);
