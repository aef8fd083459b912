import { useSyncExternalStore } from "react";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";

/** Something that the user has done and can take back. */
interface Undoable {
  /** What was done, for a toast that offers to take it back; without it only the key does. */
  text?: string;
  undo(): void;
  /** Milliseconds that the toast stays. */
  lastsMs?: number;
  /** Called once when the toast goes, after `undo` where that is why. */
  onGone?(): void;
}

/** As many as anybody remembers. */
const MOST = 50;

let done: readonly Undoable[] = [];
/** How often something was taken back. */
let taken = 0;
const listeners = new Set<() => void>();

/** A number that changes whenever something is taken back. */
export function useUndoCount(): number {
  return useSyncExternalStore(subscribe, () => taken);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Remembers how to take something back, and offers it. Returns what forgets it. */
export function offerUndo(undoable: Undoable): () => void {
  done = [...done.slice(-MOST + 1), undoable];
  const { text, lastsMs, onGone } = undoable;
  if (text === undefined) return () => forget(undoable);
  const dismiss = toast({
    text,
    action: { text: t("frame.undo"), run: () => take(undoable) },
    ...(lastsMs !== undefined && { lastsMs }),
    ...(onGone !== undefined && { onGone }),
  });
  dismissals.set(undoable, dismiss);
  return () => forget(undoable);
}

const dismissals = new WeakMap<Undoable, () => void>();

/** Takes back what was done last; tells whether there was something. */
export function undoLast(): boolean {
  const last = done.at(-1);
  if (last === undefined) return false;
  take(last);
  dismissals.get(last)?.();
  return true;
}

function take(undoable: Undoable): void {
  if (!done.includes(undoable)) return;
  forget(undoable);
  undoable.undo();
  taken += 1;
  for (const listener of [...listeners]) listener();
}

function forget(undoable: Undoable): void {
  done = done.filter((one) => one !== undoable);
}
