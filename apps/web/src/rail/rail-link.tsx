import { Link, type LinkProps } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../design/class-names.ts";
import { Tooltip } from "../design/tooltip.tsx";
import { formatCompact } from "../i18n/format.ts";

export type RailTarget = Pick<LinkProps, "to" | "params" | "search">;

const LINK =
  "flex min-h-8 items-center gap-2.5 rounded-md px-2 text-muted text-sm transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:text-ink touch:min-h-11";

/** The button is there for the pointer and the keyboard; on a touch screen always. */
const BESIDE_BUTTON =
  "group-hover:invisible group-has-focus-visible:invisible group-has-[[aria-expanded=true]]:invisible touch:mr-9 touch:visible!";

/** Without a count the button would lie on the name. */
const UNDER_BUTTON = "group-hover:pr-9 group-has-focus-visible:pr-9 touch:pr-12";

export interface RailLinkProps {
  icon?: LucideIcon;
  /** Instead of an icon. */
  mark?: ReactNode;
  link: RailTarget;
  /** Whether the page is where it leads; by the path alone if absent. */
  isCurrent?: boolean;
  count?: ReactNode;
  /** How many levels it is below the others. */
  depth?: number;
  /** Whether a button beside it takes the place of the count, or of the end of the name. */
  hasButton?: boolean;
  /** Explains what is cut. */
  title?: string;
  children: ReactNode;
}

/** One line of the rail. */
export function RailLink({
  icon: Icon,
  mark,
  link,
  isCurrent,
  count,
  depth = 0,
  hasButton,
  title,
  children,
}: RailLinkProps) {
  return (
    <Link
      {...link}
      {...currentProps(isCurrent)}
      title={title}
      className={classNames(LINK, hasButton === true && !count && UNDER_BUTTON)}
      style={depth === 0 ? undefined : { paddingLeft: 8 + depth * 16 }}
    >
      {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />}
      {mark}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {!!count && (
        <span className={classNames("text-faint text-xs tabular-nums", hasButton === true && BESIDE_BUTTON)}>
          {typeof count === "number" ? formatCompact(count) : count}
        </span>
      )}
    </Link>
  );
}

export interface RailIconLinkProps {
  icon: LucideIcon;
  link: RailTarget;
  isCurrent?: boolean;
  label: string;
  /** Below the icon. */
  mark?: ReactNode;
}

/** The same as an icon alone. */
export function RailIconLink({ icon: Icon, link, isCurrent, label, mark }: RailIconLinkProps) {
  return (
    <Tooltip text={label} side="right">
      <Link
        {...link}
        {...currentProps(isCurrent)}
        className="flex min-h-8 min-w-8 shrink-0 flex-col items-center justify-center rounded-md py-1 text-muted touch:min-h-11 touch:min-w-11 hover:bg-hover hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:text-ink"
      >
        <Icon aria-hidden size={17} strokeWidth={1.75} />
        <span className="sr-only">{label}</span>
        <span className="text-xs tabular-nums empty:hidden">{mark}</span>
      </Link>
    </Tooltip>
  );
}

/** The router knows paths; what the search parameters mean only the caller knows. */
function currentProps(isCurrent: boolean | undefined) {
  if (isCurrent === undefined) return {};
  return {
    activeOptions: { exact: true, includeSearch: true },
    "aria-current": isCurrent ? ("page" as const) : undefined,
  };
}

interface RailSectionProps extends ComponentProps<"section"> {
  title: string;
  action?: ReactNode;
}

/** A part of the rail under a heading. */
export function RailSection({ title, action, children, ...section }: RailSectionProps) {
  return (
    <section {...section}>
      <div className="flex h-7 items-center justify-between pr-1 pl-2">
        <h2 className="font-normal text-faint text-xs">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
