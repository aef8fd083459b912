import { createPreference } from "../browser/preference.ts";

/** How close to each other things stand. */
export type Density = "comfortable" | "compact";

/** The user's choice. Styles read it as `compact:`. */
export const densityPreference = createPreference<Density>("density", "comfortable", (stored) =>
  stored === "compact" ? "compact" : "comfortable",
);

/** Puts the user's choice on the page and follows it. */
export function followDensity(): void {
  applyDensity();
  densityPreference.subscribe(applyDensity);
}

function applyDensity(): void {
  document.documentElement.dataset.density = densityPreference.get();
}
