import { Suspense, useMemo } from "react";
import { useSessions } from "../client/service-context.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import { useAgentNews } from "./use-agent-news.ts";

const ExpiryNotice = lazyPart(
  withTexts(() => import("./expiry-notice.tsx")),
  "ExpiryNotice",
  "asked",
);

/** What there is to tell of the sessions as a whole. Loaded behind the list, which does without it. */
export function ListNews() {
  useAgentNews();
  const { records } = useSessions();
  const expiring = useMemo(() => [...records.values()].filter(({ expires_at }) => expires_at !== null), [records]);
  return <Suspense>{expiring.length > 0 && <ExpiryNotice expiring={expiring} />}</Suspense>;
}
