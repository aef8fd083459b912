import { Suspense } from "react";
import { usePreference } from "../browser/preference.ts";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import { pushDevicePreference } from "../push/push-preference.ts";
import { isDesktop } from "./desktop.ts";
import { notificationPreference } from "./notification-preference.ts";

const Companion = lazyPart(
  withTexts(() => import("./companion.tsx")),
  "Companion",
  "asked",
);

/** Shows the companion where there is something for it to do, which in most browsers there is not. */
export function DesktopHost() {
  const isWanted = usePreference(notificationPreference);
  const pushDevice = usePreference(pushDevicePreference);
  // A device that is told by the service is not told twice.
  const isNotified = isWanted && pushDevice === null;
  return <Suspense>{(isDesktop || isNotified) && <Companion isNotified={isNotified} />}</Suspense>;
}
