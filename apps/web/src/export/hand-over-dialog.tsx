import { agentName, SESSION_FORMATS, type SessionFormatName, wordProblem, wordsIn } from "@sm/core";
import type { CommandOutput } from "@sm/router/client";
import { useNavigate } from "@tanstack/react-router";
import { Copy, ExternalLink, Play } from "lucide-react";
import { useState } from "react";
import { useStarter } from "../agents/use-starter.ts";
import { usePreference } from "../browser/preference.ts";
import { useCommand } from "../client/commands.ts";
import { useIsHub } from "../client/hub.ts";
import { useSession } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Segments } from "../design/choices.tsx";
import { copyText } from "../design/copy-text.ts";
import { Dialog } from "../design/dialog.tsx";
import { Field, TextArea } from "../design/input.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { exportOptions, redactedWords } from "./export-options.ts";
import type { ExportRequest } from "./export-request.ts";
import { OwnWords } from "./own-words.tsx";

/** Asks which agent goes on with a session, and shows what it goes on with. */
export function HandOverDialog({ request, onClose }: { request: ExportRequest; onClose(): void }) {
  const [path = ""] = request.paths;
  const record = useSession(path);
  const isHub = useIsHub();
  const [to, setTo] = useState<SessionFormatName>(isHub || record?.format === "pi" ? "claude-code" : "pi");
  // A session of pi would be written to a machine.
  const formats = isHub ? SESSION_FORMATS.filter((format) => format !== "pi") : SESSION_FORMATS;
  const convert = useCommand("convert_session", {
    onError: (error) => toastError(t("hand_over.failed"), error),
  });
  const result = convert.data ?? null;
  const options = usePreference(exportOptions);
  // A session of pi has the texts as they are.
  const hasWords = to !== "pi";

  function choose(agent: SessionFormatName) {
    setTo(agent);
    convert.reset();
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("hand_over.title")}
      size="lg"
      description={record == null ? t("transcript.session") : sessionTitle(record)}
      footer={
        result === null ? (
          <Button
            variant="primary"
            disabled={convert.isPending || (hasWords && wordProblem(wordsIn(options.words)) !== null)}
            onClick={() =>
              convert.mutate({ path, to, entry_id: request.leafId, ...(hasWords && redactedWords(options)) })
            }
          >
            {t(convert.isPending ? "hand_over.busy" : "hand_over.start")}
          </Button>
        ) : (
          <ResultActions result={result} onClose={onClose} />
        )
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t("hand_over.agent")}>
          {() => (
            <Segments
              label={t("hand_over.agent")}
              value={to}
              options={formats.map((format) => ({ value: format, text: agentName(format) }))}
              onChange={choose}
            />
          )}
        </Field>
        <p className="-mt-2 text-faint text-xs">
          {to === "pi" ? t("hand_over.about_pi") : t("hand_over.about_brief", { agent: agentName(to) })}
        </p>
        {result === null && hasWords && (
          <OwnWords
            words={options.words}
            records={record == null ? [] : [record]}
            onChange={(words) => exportOptions.set({ ...exportOptions.get(), words })}
          />
        )}
        {result !== null && <Result result={result} />}
      </div>
    </Dialog>
  );
}

type Converted = CommandOutput<"convert_session">;

function Result({ result: { session, brief, command } }: { result: Converted }) {
  return (
    <>
      {session !== null && <p className="text-sm">{t("hand_over.written", { title: session.title })}</p>}
      {command !== null && (
        <Field label={t("hand_over.command")} hint={t("hand_over.command_hint")}>
          {({ id }) => (
            <>
              <TextArea id={id} readOnly rows={2} value={command} className="font-mono text-xs" />
              <Button icon={Copy} className="mt-2 self-start" onClick={() => void copyText(command)}>
                {t("hand_over.copy_command")}
              </Button>
            </>
          )}
        </Field>
      )}
      {brief !== null && (
        <Field label={t("hand_over.brief")} hint={t("hand_over.brief_hint")}>
          {({ id }) => (
            <>
              <TextArea id={id} readOnly rows={12} value={brief} className="font-mono text-xs" />
              <Button icon={Copy} className="mt-2 self-start" onClick={() => void copyText(brief)}>
                {t("hand_over.copy_brief")}
              </Button>
            </>
          )}
        </Field>
      )}
    </>
  );
}

/** What can be done with a new session. */
function ResultActions({ result: { session }, onClose }: { result: Converted; onClose(): void }) {
  const navigate = useNavigate();
  const { resume, isStarting } = useStarter();
  if (session === null) return <Button onClick={onClose}>{t("frame.close")}</Button>;
  const { path, capabilities } = session;
  return (
    <>
      {capabilities.start && (
        <Button
          icon={Play}
          disabled={isStarting}
          onClick={() => {
            onClose();
            resume(path);
          }}
        >
          {t("hand_over.continue")}
        </Button>
      )}
      <Button
        variant="primary"
        icon={ExternalLink}
        onClick={() => {
          onClose();
          void navigate({ to: "/session", search: { path } });
        }}
      >
        {t("hand_over.open")}
      </Button>
    </>
  );
}
