import type { ClientEvent } from "@sm/router/client";
import { createPreference } from "../browser/preference.ts";

type ServiceKind = Extract<ClientEvent, { event: "hello" }>["payload"]["kind"];

/**
 * What the page is served by: as `hello` has said, which comes before the first frame, and until then as it said the
 * last time, so that nothing is shown that goes at once.
 */
export const serviceKind = createPreference<ServiceKind>("service-kind", "home", (stored) =>
  stored === "hub" ? "hub" : "home",
);
