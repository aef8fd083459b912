import { CommandError } from "@sm/router/client";
import { Link } from "@tanstack/react-router";
import { Plug } from "lucide-react";
import { t } from "../i18n/text.ts";
import { Button } from "./button.tsx";
import { ErrorState } from "./error-state.tsx";
import { EmptyState } from "./placeholder.tsx";

interface UnavailableProps {
  error: Error;
  /** Title for failures other than a missing program or a disabled feature. */
  title: string;
  /** Titles for what is missing and for what is not allowed. */
  missing: string;
  forbidden: string;
  onRetry(): void;
}

/** Says what to install or to switch on; an ordinary error where that is not it. */
export function Unavailable({ error, title, missing, forbidden, onRetry }: UnavailableProps) {
  const code = error instanceof CommandError ? error.code : null;
  if (code !== "UNAVAILABLE" && code !== "FORBIDDEN") {
    return <ErrorState title={title} error={error} onRetry={onRetry} />;
  }
  return (
    <EmptyState
      icon={Plug}
      title={code === "UNAVAILABLE" ? missing : forbidden}
      actions={
        <>
          <Button onClick={onRetry}>{t("frame.retry")}</Button>
          <Link
            to="/settings/$"
            params={{ _splat: "" }}
            className="inline-flex h-8 items-center rounded-md px-3 text-muted text-sm hover:bg-hover hover:text-ink touch:min-h-11"
          >
            {t("rail.settings")}
          </Link>
        </>
      }
    >
      {error.message}
    </EmptyState>
  );
}
