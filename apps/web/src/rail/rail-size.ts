import { createPreference } from "../browser/preference.ts";

export const WIDTH = { usual: 232, min: 180, max: 360 };

export const railWidth = createPreference("rail-width", WIDTH.usual, (stored) =>
  typeof stored === "number" && stored >= WIDTH.min && stored <= WIDTH.max ? stored : WIDTH.usual,
);

export const railCollapsed = createPreference("rail-collapsed", false, (stored) => stored === true);
