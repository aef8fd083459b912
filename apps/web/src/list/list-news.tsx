import { Suspense } from "react";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import { useExpiringSessions } from "../sessions/use-expiring.ts";
import { useAgentNews } from "./use-agent-news.ts";

const ExpiryNotice = lazyPart(
  withTexts(() => import("./expiry-notice.tsx")),
  "ExpiryNotice",
  "asked",
);

/** What there is to tell of the sessions as a whole. */
export function ListNews() {
  useAgentNews();
  const expiring = useExpiringSessions();
  return <Suspense>{expiring.length > 0 && <ExpiryNotice expiring={expiring} />}</Suspense>;
}
