import { Ellipsis, Star } from "lucide-react";
import { memo } from "react";
import { useMayChange } from "../client/hub.ts";
import { classNames } from "../design/class-names.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { RowFacts } from "./row-facts.tsx";
import { FILLED_STAR, RowMark } from "./row-mark.tsx";
import type { SessionRowProps } from "./row-props.ts";
import { RowTime } from "./row-time.tsx";
import { RenameField, RowTitle } from "./row-title.tsx";

const ICON_BUTTON =
  "flex size-7 items-center justify-center rounded-md text-muted hover:bg-press hover:text-ink compact:size-6 touch:size-10";

/** A bar at its edge. On its tone, faint text would be too faint. */
const OPEN =
  "after:absolute after:inset-y-1.5 after:left-0 after:w-0.75 after:rounded-full after:bg-accent [&_.text-faint]:text-muted";

/** One session. It keeps its height whatever is in it. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { record, depth, id, isOpen, isSelected, isActive, isRenaming, actions } = props;
  const mayChange = useMayChange();
  const title = sessionTitle(record);
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={props.rowIndex}
      aria-selected={isSelected}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(record.path, { x: event.clientX, y: event.clientY });
      }}
      className={classNames(
        "group relative mx-2 flex h-full select-none rounded-md pr-2",
        isSelected ? "bg-selected" : isOpen ? "bg-press" : "hover:bg-hover",
        isOpen && OPEN,
        isActive && "in-focus-visible:outline-2 in-focus-visible:outline-accent -outline-offset-2",
      )}
      style={depth === 0 ? undefined : { paddingLeft: Math.min(depth, 6) * 16 }}
    >
      <div
        role="gridcell"
        className="flex w-8 shrink-0 items-start justify-center pt-3 compact:pt-0.5 touch:w-10 touch:pt-4 compact:touch:pt-2.5"
      >
        <RowMark {...props} />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 compact:gap-0">
        <div className="flex items-center gap-2">
          {isRenaming ? <RenameField {...props} /> : <RowTitle {...props} />}
          <RowTime
            time={props.sort === "created" ? record.created_at : record.modified_at}
            isByDay={props.group === "day"}
          />
        </div>
        <RowFacts {...props} />
      </div>
      <div
        role="gridcell"
        className="absolute top-1 right-2 hidden compact:top-0.5 gap-0.5 group-hover:flex touch:relative touch:inset-auto touch:flex touch:items-center"
      >
        {mayChange && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={t(record.is_favorite ? "list.remove_favorite_named" : "list.add_favorite_named", { title })}
            onClick={() => actions.setFavorite([record], !record.is_favorite)}
            className={classNames(ICON_BUTTON, "touch:hidden")}
          >
            <Star aria-hidden size={15} strokeWidth={1.75} className={record.is_favorite ? FILLED_STAR : ""} />
          </button>
        )}
        <button
          type="button"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={t("list.menu_of", { title })}
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect();
            props.onMenu(record.path, { x: left, y: bottom });
          }}
          className={ICON_BUTTON}
        >
          <Ellipsis aria-hidden size={16} strokeWidth={1.75} />
        </button>
      </div>
    </div>
  );
});
