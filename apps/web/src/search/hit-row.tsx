import type { SessionRecord } from "@sm/router/client";
import { Link } from "@tanstack/react-router";
import {
  Bookmark,
  Brain,
  Layers,
  type LucideIcon,
  MessageSquare,
  SquareTerminal,
  Star,
  Tag,
  User,
  Wrench,
} from "lucide-react";
import { Badge } from "../design/badge.tsx";
import { LiveDot } from "../design/chip.tsx";
import { classNames } from "../design/class-names.ts";
import { formatMoment, formatWhen } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { piecesOf, type SearchHit } from "./result-rows.ts";
import type { SearchLinks } from "./search-links.ts";

const ICONS: Readonly<Record<SearchHit["kind"], LucideIcon>> = {
  text: MessageSquare,
  thinking: Brain,
  tool_call: Wrench,
  tool_result: Wrench,
  bash: SquareTerminal,
  summary: Layers,
  name: Tag,
  label: Bookmark,
};

/** Kinds that are code and output more often than prose. */
const CODE: ReadonlySet<SearchHit["kind"]> = new Set(["tool_call", "tool_result", "bash"]);

interface RowProps {
  hit: SearchHit;
  links: SearchLinks;
  /** Called when it is opened here, in a new tab or window. */
  onOpen(): void;
}

interface SessionHeadProps extends RowProps {
  record: SessionRecord | undefined;
  /** The name of its project; `null` where it has none. */
  project: string | null;
  /** `null` where all sessions are of one agent. */
  agentName: string | null;
}

/** The session that the hits below were found in. */
export function SessionHead({ hit, links, record, project, agentName, onOpen }: SessionHeadProps) {
  return (
    <h2 className="flex min-w-0 items-center gap-2 px-3 pt-5 pb-1 font-normal">
      {record?.is_live === true && <LiveDot />}
      <Link
        {...links.toSession(hit, false)}
        onClick={onOpen}
        data-row
        className="min-w-0 truncate rounded-sm font-strong text-base hover:underline"
      >
        {record == null ? hit.session_title : sessionTitle(record)}
      </Link>
      {record?.is_favorite === true && (
        <Star role="img" aria-label={t("list.favorite")} size={13} className="shrink-0 fill-star text-star" />
      )}
      {record?.owner != null && <Badge text={record.owner} title={t("list.owner_title", { name: record.owner })} />}
      {agentName !== null && <Badge text={agentName} />}
      {project !== null && (
        <span className="max-w-1/2 shrink-0 truncate text-faint text-xs" title={hit.cwd ?? undefined}>
          {project}
        </span>
      )}
    </h2>
  );
}

/** One hit: who said it, where, and the text around what was found. */
export function HitRow({ hit, isOpen, owner, links, onOpen }: RowProps & { isOpen: boolean; owner: string | null }) {
  const Icon = hit.kind === "text" && hit.role === "user" ? User : ICONS[hit.kind];
  return (
    <Link
      {...links.toSession(hit, true)}
      activeProps={{}}
      aria-current={isOpen ? "true" : undefined}
      onClick={onOpen}
      data-row
      className={classNames(
        "relative flex gap-3 rounded-md px-3 py-2 focus-visible:bg-selected touch:min-h-11",
        isOpen
          ? "bg-press after:absolute after:inset-y-1.5 after:left-0 after:w-0.75 after:rounded-full after:bg-accent [&_.text-faint]:text-muted"
          : "hover:bg-hover",
      )}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-faint" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2 text-faint text-xs">
          <span className="min-w-0 truncate">{sourceOf(hit, owner)}</span>
          {hit.timestamp !== null && (
            <time dateTime={hit.timestamp} title={formatMoment(hit.timestamp)} className="shrink-0 tabular-nums">
              {formatWhen(hit.timestamp)}
            </time>
          )}
        </span>
        {/* What was written by others may run from right to left. */}
        <bdi
          className={classNames(
            "line-clamp-3 [overflow-wrap:anywhere]",
            CODE.has(hit.kind) ? "whitespace-pre-wrap font-mono text-xs" : "text-sm",
          )}
        >
          {piecesOf(hit).map(({ text, isMarked }, index) =>
            isMarked ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a snippet never move
              <mark key={index} className="rounded-sm bg-mark text-ink">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </bdi>
      </span>
    </Link>
  );
}

/** Leads to everything that was found in the session of a hit. */
export function MoreRow({ hit, links }: Pick<RowProps, "hit" | "links">) {
  return (
    <Link
      {...links.toAll(hit)}
      data-row
      className="ml-7 inline-flex items-center rounded-md px-3 py-1.5 text-accent text-sm hover:bg-hover focus-visible:bg-selected touch:min-h-11"
    >
      {t("search.all_in_session")}
    </Link>
  );
}

/** Who said it: the user, or the owner of the session, the model, or a tool by its name. */
function sourceOf({ kind, role, tool_name }: SearchHit, owner: string | null): string {
  if (kind === "text" && role === "user") return owner ?? t("search.role_user");
  if (kind === "text") return t("search.role_assistant");
  const name = t(`search.kind_${kind}`);
  return tool_name === null || kind === "bash" ? name : `${tool_name} · ${name}`;
}
