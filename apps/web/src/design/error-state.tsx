import { CommandError, ConnectionError } from "@sm/router/client";
import { TriangleAlert } from "lucide-react";
import { t } from "../i18n/text.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./placeholder.tsx";

/** Says what an error means to a person: what failed and how to mend it. */
export function errorText(error: unknown): string {
  // The service's messages are sentences that a person can act on; their codes are told in the language of the page.
  if (error instanceof CommandError) return t(`error.${error.code}`, { message: error.message });
  if (error instanceof ConnectionError) return t("connection.no_answer");
  return error instanceof Error ? error.message : String(error);
}

export interface ErrorStateProps {
  error: unknown;
  /** What could not be done. */
  title: string;
  onRetry?: (() => void) | undefined;
}

/** Stands where something could not be loaded. */
export function ErrorState({ error, title, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="h-full">
      <EmptyState
        icon={TriangleAlert}
        title={title}
        actions={onRetry !== undefined && <Button onClick={onRetry}>{t("frame.retry")}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    </div>
  );
}
