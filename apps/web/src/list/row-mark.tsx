import { CircleHelp, CircleSlash, CircleX, type LucideIcon, Star } from "lucide-react";
import { Checkbox } from "../design/checkbox.tsx";
import { classNames } from "../design/class-names.ts";
import { type PlainTextKey, t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import type { SessionRowProps } from "./row-props.ts";
import type { RowState } from "./row-state.ts";

export const FILLED_STAR = "fill-star text-star";

/** Above the link that covers the row, and larger for the pointer than for the eye. */
const BOX = "relative z-1 [&>button]:before:absolute [&>button]:before:-inset-2 touch:[&>button]:before:-inset-3.5";

type RowMarkProps = Pick<SessionRowProps, "record" | "state" | "isSelected" | "onToggle" | "isSelecting">;

/** What the session is marked with; its place is that of the box to choose it. */
export function RowMark({ record, state, isSelected, onToggle, isSelecting }: RowMarkProps) {
  return (
    <>
      <span className={classNames(BOX, isSelecting ? "flex" : "hidden group-hover:flex touch:group-hover:hidden")}>
        <Checkbox
          tabIndex={-1}
          checked={isSelected}
          onCheckedChange={(_checked, { shiftKey }) => onToggle(record.path, shiftKey)}
          aria-label={t("list.select_named", { title: sessionTitle(record) })}
        />
      </span>
      {!isSelecting && (
        <span className="flex h-4 items-center group-hover:hidden touch:group-hover:flex">
          {state === "running" || (state === null && record.is_live) ? (
            <span
              role="img"
              aria-label={t(state === null ? "list.live" : "list.state_running")}
              className={classNames("size-2 rounded-full bg-live", state !== null && "animate-[breathe_2s_infinite]")}
            />
          ) : state !== null && !(record.is_favorite && isOutcome(state)) ? (
            <StateIcon state={state} message={record.outcome_message} />
          ) : (
            record.is_favorite && (
              <Star role="img" aria-label={t("list.favorite")} size={13} strokeWidth={1.75} className={FILLED_STAR} />
            )
          )}
        </span>
      )}
    </>
  );
}

const STATES: Readonly<
  Record<Exclude<RowState, "running">, { icon: LucideIcon; text: PlainTextKey; className: string }>
> = {
  asks: { icon: CircleHelp, text: "list.state_asks", className: "text-warning" },
  failed: { icon: CircleX, text: "list.state_failed", className: "text-danger" },
  aborted: { icon: CircleSlash, text: "list.state_aborted", className: "text-faint" },
};

/** Of a run that is over: where there is a star, its place is behind the title. */
export function isOutcome(state: RowState | null): state is "failed" | "aborted" {
  return state === "failed" || state === "aborted";
}

export function StateIcon({ state, message }: { state: Exclude<RowState, "running">; message: string | null }) {
  const { icon: Icon, text, className } = STATES[state];
  const said = t(text);
  return (
    // Above the link that covers the row, for the pointer to find it.
    <span title={state === "failed" && message !== null ? `${said}: ${message}` : said} className="relative z-1">
      <Icon role="img" aria-label={said} size={14} strokeWidth={2} className={className} />
    </span>
  );
}
