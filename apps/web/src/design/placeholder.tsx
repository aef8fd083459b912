import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { classNames } from "./class-names.ts";

/** Stands for something that is on its way, in its size: `<Skeleton className="h-4 w-40" />`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames("animate-[breathe_1.6s_infinite] rounded-sm bg-press", className)} />;
}

/** Stands for lines of text that are on their way. */
export function SkeletonLines({ count = 3, className }: { count?: number; className?: string }) {
  return (
    <div role="status" className={classNames("flex flex-col gap-3", className)}>
      <span className="sr-only">{t("frame.loading")}</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} className={classNames("h-4", index % 3 === 2 ? "w-1/2" : "w-full")} />
      ))}
    </div>
  );
}

export interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  /** Where the empty place is all of the screen, its title is that of the screen. */
  isScreen?: boolean;
  /** What this place is for and what fills it. */
  children?: ReactNode;
  /** Buttons: what can be done now. */
  actions?: ReactNode;
}

/** Says in an empty place what to do. */
export function EmptyState({ icon: Icon, title, isScreen = false, children, actions }: EmptyStateProps) {
  const Heading = isScreen ? "h1" : "h2";
  return (
    <div className="flex h-full min-h-60 flex-col items-center justify-center gap-3 p-8 text-center">
      {Icon !== undefined && <Icon aria-hidden size={32} strokeWidth={1.25} className="text-faint" />}
      <Heading className="text-lg">{title}</Heading>
      {children !== undefined && <div className="max-w-100 text-balance text-muted text-sm">{children}</div>}
      {actions !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
