import { useEffect, useState } from "react";
import { useConnection } from "../client/service-context.tsx";
import { errorText } from "../design/error-state.tsx";
import { t } from "../i18n/text.ts";

/** A connection that takes no longer is not worth a word. */
const SILENT_MS = 1_500;

/** Says that the page is without its service, where that lasts. */
export function ConnectionBanner() {
  const connection = useConnection();
  const isAway = connection.state === "waiting" || connection.state === "connecting";
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isAway) return setLate(false);
    const timer = setTimeout(() => setLate(true), SILENT_MS);
    return () => clearTimeout(timer);
  }, [isAway]);

  const text =
    connection.state === "refused"
      ? t("connection.refused", { reason: errorText(connection.error) })
      : isLate && isAway
        ? t(connection.state === "waiting" ? "connection.waiting" : "connection.connecting")
        : null;
  return (
    <div role="status">
      {text !== null && <p className="bg-warning-soft px-4 py-1.5 text-center text-sm text-warning">{text}</p>}
    </div>
  );
}
