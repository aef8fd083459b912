import { createPreference } from "../browser/preference.ts";

/** Id with which the service knows this browser as a device that it notifies; `null` if it does not. */
export const pushDevicePreference = createPreference<string | null>("push-device", null, (stored) =>
  typeof stored === "string" ? stored : null,
);
