import { createPreference } from "../browser/preference.ts";
import { createPaneWidth } from "../design/pane-width.ts";

export const railWidth = createPaneWidth("rail-width", { usual: 232, min: 180, max: 360 });

export const railCollapsed = createPreference("rail-collapsed", false, (stored) => stored === true);
