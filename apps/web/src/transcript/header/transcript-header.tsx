import type { SessionRecord } from "@sm/router/client";
import { ArrowLeft, GitBranch, List, PanelLeftOpen, Play, Search, Star, StickyNote, Terminal } from "lucide-react";
import { useState } from "react";
import { useStarter } from "../../agents/use-starter.ts";
import { useMayChange } from "../../client/hub.ts";
import { IconButton } from "../../design/button.tsx";
import { classNames } from "../../design/class-names.ts";
import { Skeleton } from "../../design/placeholder.tsx";
import { NoteText } from "../../entries/entry-note.tsx";
import { t } from "../../i18n/text.ts";
import { sessionTitle } from "../../projects/session-title.ts";
import { useSessionActions } from "../../sessions/session-actions.ts";
import type { Attachment } from "../attachment.ts";
import type { TranscriptSearch } from "../transcript-search.ts";
import { ContextGauge } from "./context-gauge.tsx";
import { ParentLink } from "./parent-link.tsx";
import { RestoreButton } from "./restore-button.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { OpenSessionMenu } from "./session-menu.tsx";
import { SessionTitle } from "./session-title.tsx";

interface TranscriptHeaderProps {
  /** `null` until loaded, or if it does not exist. */
  record: SessionRecord | null;
  attachment: Attachment | null;
  /** Tokens that the model has looked at; `null` if unknown. */
  contextTokens: number | null;
  /** Leads back to where sessions are listed. */
  onLeave(): void;
  /** Whether the session could not be opened. */
  hasFailed: boolean;
  /** `false` where the session has one branch only. */
  hasBranches: boolean;
  /** The list beside it makes room for what stands on its other side. */
  isAlone: boolean;
  onShowList(): void;
  panel: TranscriptSearch["panel"];
  onPanel(panel: TranscriptSearch["panel"]): void;
  onFind(): void;
  /** The user's note on the session. */
  note: string | null;
  onNote(): void;
}

/** Names the session that is open, with what can be done with it. */
export function TranscriptHeader(props: TranscriptHeaderProps) {
  const { record, attachment, contextTokens, onLeave, hasFailed, hasBranches, isAlone, onShowList } = props;
  const { panel, onPanel, onFind, note, onNote } = props;
  const actions = useSessionActions();
  const { resume, isStarting } = useStarter();
  const mayChange = useMayChange();
  const [isNaming, setNaming] = useState(false);
  const ofAgent =
    attachment === null ? null : (
      <>
        {attachment.facts}
        <ContextGauge tokens={contextTokens} size={attachment.contextWindow} />
      </>
    );
  const toggle = (which: NonNullable<typeof panel>) => onPanel(panel === which ? undefined : which);
  return (
    <header className="transcript-header">
      {record !== null && record.relation !== null && record.parent_session_path !== null && (
        <ParentLink path={record.parent_session_path} relation={record.relation} />
      )}
      <div className="flex items-center gap-1">
        <IconButton icon={ArrowLeft} label={t("frame.back")} className="-ml-2 desk:hidden" onClick={onLeave} />
        {isAlone && (
          <IconButton
            icon={PanelLeftOpen}
            label={t("transcript.show_list")}
            className="-ml-2 phone:hidden"
            onClick={onShowList}
          />
        )}
        <div className="min-w-0 flex-1">
          {record !== null || attachment !== null ? (
            <SessionTitle
              title={attachment?.title ?? (record === null ? "" : sessionTitle(record))}
              name={(attachment ?? record)?.name ?? ""}
              isFixed={record !== null && !(mayChange && record.capabilities.rename)}
              onRename={(name) => (record === null ? attachment?.rename(name) : void actions.rename(record.path, name))}
              isEditing={isNaming}
              onEdit={setNaming}
            />
          ) : hasFailed ? (
            <h1 className="font-strong text-lg">{t("transcript.session")}</h1>
          ) : (
            <Skeleton className="h-6 w-64" />
          )}
        </div>
        {record !== null && mayChange && (
          <IconButton
            icon={Star}
            label={record.is_favorite ? t("transcript.unfavorite") : t("transcript.favorite")}
            aria-pressed={record.is_favorite}
            className="phone:hidden aria-pressed:text-star aria-pressed:[&_svg]:fill-current"
            onClick={() => actions.setFavorite([record], !record.is_favorite)}
          />
        )}
        {record?.source === "vault" && <RestoreButton path={record.path} />}
        {record?.capabilities.start === true && attachment === null && (
          <IconButton
            icon={Play}
            label={t("live.resume_session")}
            keys="shift+r"
            disabled={isStarting}
            className="phone:hidden"
            onClick={() => resume(record.path)}
          />
        )}
        {record?.capabilities.start === false && record.capabilities.resume_command !== null && (
          <IconButton
            icon={Terminal}
            label={t("list.copy_resume")}
            className="phone:hidden"
            onClick={() => actions.copyResumeCommand(record)}
          />
        )}
        <IconButton icon={Search} label={t("transcript.find")} keys="mod+f" onClick={onFind} />
        <IconButton
          icon={List}
          label={t("transcript.prompts")}
          keys="c"
          aria-pressed={panel === "prompts"}
          className="aria-pressed:bg-press aria-pressed:text-ink"
          onClick={() => toggle("prompts")}
        />
        <IconButton
          icon={GitBranch}
          label={t("transcript.tree")}
          keys="b"
          aria-pressed={panel === "tree"}
          // On a phone it is the other half of the contents.
          className={classNames(
            "phone:hidden aria-pressed:bg-press aria-pressed:text-ink",
            hasBranches && "text-accent",
          )}
          onClick={() => toggle("tree")}
        />
        {record !== null && note === null && mayChange && (
          <IconButton icon={StickyNote} label={t("transcript.note_add")} className="phone:hidden" onClick={onNote} />
        )}
        {(record !== null || attachment !== null) && (
          <OpenSessionMenu
            record={record}
            ofAgent={attachment?.menu ?? null}
            onRename={() => setNaming(true)}
            onNote={onNote}
            onDeleted={onLeave}
          />
        )}
      </div>
      {record !== null ? (
        <SessionFacts record={record} ofAgent={ofAgent} />
      ) : ofAgent !== null ? (
        <div className="session-facts">{ofAgent}</div>
      ) : (
        !hasFailed && <Skeleton className="mt-1 h-4 w-96 max-w-full" />
      )}
      {note !== null && (
        <div className="max-h-24 overflow-y-auto">
          <NoteText text={note} onEdit={onNote} />
        </div>
      )}
    </header>
  );
}
