import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";

const WaitingNumber = lazyPart(
  withTexts(() => import("./waiting-number.tsx")),
  "WaitingNumber",
);

/**
 * How many wait for the user. The service is not asked before agents or terminals are known to be in use: it loads them
 * when they are needed.
 */
export function WaitingCount({ live }: { live: number }) {
  const service = useService();
  const [isUsed, setUsed] = useState(false);
  const { data: known } = useQuery({ ...commandQuery(service, "get_coding_live_sessions"), enabled: false });
  useEffect(() => {
    const stream = service.events({
      topics: ["live"],
      onEvent: ({ event }) => {
        if (event.startsWith("live-") || event.startsWith("terminal-")) setUsed(true);
      },
    });
    return () => stream.close();
  }, [service]);
  if (live === 0 && !isUsed && (known ?? []).length === 0) return null;
  return (
    <Suspense fallback={live || null}>
      <WaitingNumber live={live} />
    </Suspense>
  );
}
