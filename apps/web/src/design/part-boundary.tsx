import { Component, type ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { toast } from "./toast.tsx";

/** What is thrown where a part of the page could not be loaded. */
export class LoadFailure extends Error {}

interface PartProps {
  /** What the part is shown with: other values try again. */
  asked: object;
  /** Called once for each failure. */
  onFailure(): void;
  children?: ReactNode;
}

interface PartState {
  error: unknown;
  asked: object | null;
}

/** Says where a part of the page could not be loaded, and keeps that from taking the page with it. */
export class PartBoundary extends Component<PartProps, PartState> {
  override state: PartState = { error: null, asked: null };

  static getDerivedStateFromProps({ asked }: PartProps, state: PartState): Partial<PartState> | null {
    if (state.error === null) return { asked };
    return state.asked !== null && isSame(asked, state.asked) ? null : { error: null, asked };
  }

  static getDerivedStateFromError(error: unknown): Partial<PartState> {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof LoadFailure)) return;
    this.props.onFailure();
    tell();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof LoadFailure) return null;
    throw error;
  }
}

/** Functions are other ones whenever something is shown again. */
function isSame(asked: object, before: object): boolean {
  const former = new Map<string, unknown>(Object.entries(before));
  return Object.entries(asked).every(
    ([name, value]) => typeof value === "function" || Object.is(value, former.get(name)),
  );
}

let isTold = false;

function tell(): void {
  if (isTold) return;
  isTold = true;
  toast({
    text: t("frame.part_missing"),
    tone: "danger",
    action: { text: t("frame.reload"), run: () => location.reload() },
    lastsMs: 20_000,
    onGone() {
      isTold = false;
    },
  });
}
