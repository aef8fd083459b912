import { Link } from "@tanstack/react-router";
import { Compass, TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./placeholder.tsx";

/** Stands where a part of the page has thrown. */
export function BrokenScreen({ error, reset }: { error: unknown; reset?: () => void }) {
  return (
    <main id="content" role="alert" className="min-w-0 flex-1 overflow-y-auto bg-paper">
      <EmptyState
        icon={TriangleAlert}
        title={t("frame.broken")}
        actions={
          <>
            {reset !== undefined && <Button onClick={reset}>{t("frame.retry")}</Button>}
            <Button variant="primary" onClick={() => location.reload()}>
              {t("frame.reload")}
            </Button>
          </>
        }
      >
        <p>{t("frame.broken_text")}</p>
        <pre className="mt-4 overflow-x-auto whitespace-pre-wrap rounded-md bg-sunken p-3 text-left text-xs">
          {error instanceof Error ? error.message : String(error)}
        </pre>
      </EmptyState>
    </main>
  );
}

/** Stands where an address leads to nothing. */
export function NotFoundScreen() {
  return (
    <main id="content" className="min-w-0 flex-1 bg-paper">
      <EmptyState
        icon={Compass}
        isScreen
        title={t("frame.not_found")}
        actions={
          <Link to="/" className="rounded-md bg-press px-3 py-1.5 text-sm hover:bg-selected">
            {t("frame.to_sessions")}
          </Link>
        }
      >
        {t("frame.not_found_text")}
      </EmptyState>
    </main>
  );
}

interface BoundaryProps {
  /** Another value tries again. */
  resetKey: string;
  children: ReactNode;
}

interface BoundaryState {
  error: unknown;
  failedKey: string | null;
}

/** Keeps what throws in one pane from taking the others with it. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, failedKey: null };

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return state.failedKey !== null && state.failedKey !== resetKey ? { error: null, failedKey: null } : null;
  }

  override componentDidCatch(error: unknown): void {
    this.setState({ error, failedKey: this.props.resetKey });
  }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <BrokenScreen error={error} reset={() => this.setState({ error: null, failedKey: null })} />;
  }
}
