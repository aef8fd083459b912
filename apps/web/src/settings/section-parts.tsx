import type { ReactNode } from "react";
import { Line } from "../design/lines.tsx";

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

/** A path, which may be long: it breaks anywhere. */
export function PathText({ children }: { children: string }) {
  return <span className="font-mono text-xs [overflow-wrap:anywhere]">{children}</span>;
}

/** A line that says what something is, by its name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Line>
      <span className="w-44 shrink-0 text-muted text-sm phone:w-28">{name}</span>
      <span className="min-w-0 flex-1 text-sm tabular-nums">{children}</span>
    </Line>
  );
}
