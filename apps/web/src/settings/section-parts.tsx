import type { ReactNode } from "react";
import { classNames } from "../design/class-names.ts";

/** What a part of the settings is for, over what is set in it. */
export function SectionIntro({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3 pb-5">
      <p className="min-w-60 flex-1 text-pretty text-muted text-sm">{children}</p>
      {actions !== undefined && <div className="flex gap-2">{actions}</div>}
    </div>
  );
}

/** Things that belong together, under a title. */
export function SettingsGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="pb-8">
      <h2 className="pb-3 text-base">{title}</h2>
      {children}
    </section>
  );
}

/** Lines of a list: a tone of their own instead of borders. */
export function Lines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-px overflow-hidden rounded-lg bg-line">
      {children}
    </ul>
  );
}

export function Line({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <li className={classNames("flex min-h-12 items-center gap-3 bg-sunken px-4 py-2 touch:min-h-14", className)}>
      {children}
    </li>
  );
}

/** A path, which may be long: it breaks anywhere. */
export function PathText({ children }: { children: string }) {
  return <span className="font-mono text-xs [overflow-wrap:anywhere]">{children}</span>;
}
