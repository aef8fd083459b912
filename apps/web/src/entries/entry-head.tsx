import { type MessageItem, oneLine, type TranscriptItem, type Usage } from "@sm/core";
import { Copy, Ellipsis } from "lucide-react";
import { copyText } from "../design/copy-text.ts";
import { formatMoment, formatTime } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { Bookmark } from "./bookmark.tsx";
import { useEntryContext } from "./entry-context.ts";
import { plainText } from "./plain-text.ts";
import { speakerName } from "./speaker-name.ts";
import { UsageText } from "./usage-text.tsx";

/** Characters of a model's name that are shown. */
const MAX_MODEL_LENGTH = 80;

interface EntryHeadProps {
  item: TranscriptItem;
  /** What it took. */
  usage: Usage | null;
  /** In the middle of a turn, and for entries without an author: it takes no line of its own. */
  isPassing: boolean;
  showsModel: boolean;
}

/** Says who speaks, when, and what it took; with what can be done with an entry. */
export function EntryHead({ item, usage, isPassing, showsModel }: EntryHeadProps) {
  const { labels, owner, openMenu } = useEntryContext();
  return (
    <header className="head" data-passing={isPassing || undefined}>
      {!isPassing && <h3>{speakerName(item, owner)}</h3>}
      {showsModel && item.kind === "message" && <Model item={item} />}
      {!isPassing && <Bookmark entryId={item.id} labels={labels} />}
      <span className="meta">
        <UsageText usage={usage} />
        <When item={item} />
      </span>
      <span className="head-actions">
        <button
          type="button"
          className="icon-button entry-copy"
          aria-label={t("transcript.copy_text")}
          title={t("transcript.copy_text")}
          onClick={() => void copyText(plainText(item))}
        >
          <Copy aria-hidden size={14} />
        </button>
        <button
          type="button"
          className="icon-button entry-menu-button"
          aria-label={t("transcript.entry_menu")}
          aria-haspopup="menu"
          title={menuTitle(item)}
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect();
            openMenu(item, { x: left, y: bottom });
          }}
        >
          <Ellipsis aria-hidden size={14} />
        </button>
      </span>
    </header>
  );
}

function menuTitle({ timestamp }: TranscriptItem): string {
  const menu = t("transcript.entry_menu");
  return timestamp === null ? menu : `${formatMoment(timestamp)}\n${menu}`;
}

function When({ item: { id, timestamp } }: { item: TranscriptItem }) {
  const { hrefOf, goTo } = useEntryContext();
  const text = timestamp === null ? "#" : formatTime(timestamp);
  const title = timestamp === null ? t("transcript.link") : `${formatMoment(timestamp)}. ${t("transcript.link")}`;
  return (
    <a
      className="when"
      href={hrefOf(id)}
      title={title}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        goTo(id);
      }}
    >
      {timestamp === null ? text : <time dateTime={timestamp}>{text}</time>}
    </a>
  );
}

/** The model that was asked, and the one that answered where that is another. */
function Model({ item: { model, response_model, thinking_level } }: { item: MessageItem }) {
  if (model === null) return null;
  const title = thinking_level === null ? undefined : t("transcript.thinking_level", { level: lineOf(thinking_level) });
  return (
    <span className="model" title={title}>
      {lineOf(model)}
      {response_model !== null && response_model !== model && ` → ${lineOf(response_model)}`}
    </span>
  );
}

function lineOf(name: string): string {
  return oneLine(name, MAX_MODEL_LENGTH);
}
