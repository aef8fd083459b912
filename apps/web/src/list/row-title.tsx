import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { costText } from "../i18n/cost.ts";
import { formatMoment } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import type { SessionRowProps } from "./row-props.ts";

/** Leads to the session; all of the row does, and says what there is no place for. */
export function RowTitle({ record, isOpen, onClick }: Pick<SessionRowProps, "record" | "isOpen" | "onClick">) {
  return (
    <Link
      to="/session"
      search={(search) => ({ ...search, path: record.path, entry: undefined, leaf: undefined }) as never}
      tabIndex={-1}
      preload={false}
      draggable={false}
      aria-current={isOpen ? "page" : undefined}
      activeProps={{}}
      title={detailsOf(record)}
      onClick={(event) => onClick(event, record.path)}
      className="min-w-0 flex-1 truncate text-base text-ink before:absolute before:inset-0 compact:text-sm"
    >
      {sessionTitle(record)}
    </Link>
  );
}

function detailsOf(record: SessionRowProps["record"]) {
  const { cwd, owner, machine, created_at, modified_at, message_count, models, usage } = record;
  const from = [owner, machine].filter((name) => name !== null).join(" · ");
  const facts = [t("list.messages", { count: message_count }), costText(usage), models.join(", ")];
  const lines = [
    sessionTitle(record),
    from === "" ? null : from,
    cwd,
    t("list.from_to", { from: formatMoment(created_at), to: formatMoment(modified_at) }),
    facts.filter((fact) => fact !== null && fact !== "").join(" · "),
  ];
  return lines.filter((line) => line !== null).join("\n");
}

/** In the place of the title, until Enter, Escape, or a click elsewhere. */
export function RenameField({ record, actions, onRenamed }: Pick<SessionRowProps, "record" | "actions" | "onRenamed">) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") event.currentTarget.value = event.currentTarget.defaultValue;
    if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
  }
  return (
    <input
      ref={field}
      onFocus={({ currentTarget }) => currentTarget.select()}
      aria-label={t("list.rename_label")}
      defaultValue={record.name ?? sessionTitle(record)}
      maxLength={200}
      // Where all ways end.
      onBlur={({ currentTarget: { value, defaultValue } }) => {
        if (value !== defaultValue) actions.rename(record.path, value);
        onRenamed();
      }}
      onKeyDown={onKeyDown}
      className="-mx-1 h-6 min-w-0 flex-1 rounded-sm bg-field px-1 text-base outline-2 outline-accent compact:h-5"
    />
  );
}
