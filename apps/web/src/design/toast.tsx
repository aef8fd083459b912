import { X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { t } from "../i18n/text.ts";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { errorText } from "./error-state.tsx";

export interface Toast {
  text: string;
  tone?: "plain" | "danger";
  /** A button, such as "Undo". Pressing it takes the toast away. */
  action?: { text: string; run(): void };
  /** Milliseconds until it goes; 5,000 if absent. */
  lastsMs?: number;
  /** Called once when it goes, whether by time, by hand or by its action. */
  onGone?(): void;
}

interface Shown extends Toast {
  id: number;
}

/** More than this would cover what they are about. */
const MOST = 4;

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Tells something in passing. Returns what takes it away. */
export function toast(content: Toast): () => void {
  lastId += 1;
  const id = lastId;
  const surplus = shown.slice(0, Math.max(0, shown.length - MOST + 1));
  set([...shown.filter((one) => !surplus.includes(one)), { ...content, id }]);
  for (const one of surplus) one.onGone?.();
  return () => dismiss(id);
}

/** Tells what failed: `toastError(t("list.rename_failed"), error)`. */
export function toastError(what: string, error: unknown): void {
  toast({ text: `${what} ${errorText(error)}`, tone: "danger", lastsMs: 10_000 });
}

function dismiss(id: number): void {
  const gone = shown.find((one) => one.id === id);
  if (gone === undefined) return;
  set(shown.filter((one) => one !== gone));
  gone.onGone?.();
}

function set(next: readonly Shown[]): void {
  shown = next;
  for (const listener of [...listeners]) listener();
}

/** Where toasts are shown, once in a page. */
export function Toaster() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return createPortal(
    <section
      aria-label={t("frame.notifications")}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex flex-col items-center gap-2 px-4"
    >
      {toasts.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </section>,
    document.body,
  );
}

function ToastCard({ toast: { id, text, tone = "plain", action, lastsMs = 5_000 } }: { toast: Shown }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), lastsMs);
    return () => clearTimeout(timer);
  }, [id, lastsMs]);
  return (
    <div
      className={classNames(
        "pointer-events-auto flex max-w-140 animate-[appear_160ms_var(--ease-out)] items-center gap-3 rounded-lg bg-raised py-1.5 pr-1.5 pl-4 text-sm shadow-pop",
        tone === "danger" && "text-danger",
      )}
    >
      <span className="min-w-0 py-1 [overflow-wrap:anywhere]">{text}</span>
      {action !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          className="text-accent"
          onClick={() => {
            action.run();
            dismiss(id);
          }}
        >
          {action.text}
        </Button>
      )}
      <IconButton icon={X} label={t("frame.close")} size="sm" onClick={() => dismiss(id)} />
    </div>
  );
}
