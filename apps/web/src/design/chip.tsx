import { X } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const TONES = {
  plain: "bg-press text-muted",
  accent: "bg-accent-soft text-accent",
  live: "bg-live-soft text-live",
  danger: "bg-danger-soft text-danger",
  warning: "bg-warning-soft text-warning",
} as const;

export interface ChipProps {
  tone?: keyof typeof TONES;
  /** Shows a button with this name, which takes the chip away. */
  removeLabel?: string;
  onRemove?: () => void;
  children: ReactNode;
}

/** A small label, such as a filter that is on. */
export function Chip({ tone = "plain", removeLabel, onRemove, children }: ChipProps) {
  return (
    <span
      className={classNames(
        "inline-flex h-6 max-w-60 shrink-0 items-center gap-1 rounded-md px-2 text-xs touch:h-9",
        TONES[tone],
        onRemove !== undefined && "pr-0",
      )}
    >
      <span className="min-w-0 truncate [&>span]:mr-1.5 [&>span]:inline-block">{children}</span>
      {onRemove !== undefined && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="flex h-full w-6 items-center justify-center rounded-md hover:bg-hover touch:w-9"
        >
          <X aria-hidden size={12} />
        </button>
      )}
    </span>
  );
}

/** The colour of a tag. */
export function TagDot({ color }: { color: string }) {
  return <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: color }} />;
}

/** Says that an agent is at work, by more than colour where `text` is given. */
export function LiveDot({ text }: { text?: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-live text-xs">
      <span aria-hidden className="size-2 animate-[breathe_2s_infinite] rounded-full bg-live" />
      {text}
    </span>
  );
}
