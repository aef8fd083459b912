import { wordProblem, wordsIn } from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { Download, ExternalLink } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { usePreference } from "../browser/preference.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { recordIn } from "../client/sessions.ts";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Segments, Select } from "../design/choices.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field } from "../design/input.tsx";
import { toastError } from "../design/toast.tsx";
import { isDesktop } from "../desktop/desktop.ts";
import { formatBytes } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { BranchChoice } from "./branch-choice.tsx";
import { EXPORT_FORMATS, EXPORT_THEMES, type ExportOptions, exportAddress, exportOptions } from "./export-options.ts";
import { ExportPreview } from "./export-preview.tsx";
import type { ExportRequest } from "./export-request.ts";
import { IncludedParts } from "./included-parts.tsx";
import { OwnWords } from "./own-words.tsx";
import { RedactionPreview } from "./redaction-preview.tsx";
import { openExport, saveExport } from "./run-export.ts";

/** Asks how sessions are exported, and shows what comes of it. */
export function ExportDialog({ request, onClose }: { request: ExportRequest; onClose(): void }) {
  const service = useService();
  const sessions = useSessions();
  const { records } = sessions;
  const options = usePreference(exportOptions);
  const [leafId, setLeafId] = useState(request.leafId ?? null);
  const [isBusy, setBusy] = useState(false);
  const { paths } = request;
  const [only] = paths.length === 1 ? paths : [];
  const title = only === undefined ? null : (records.get(only)?.title ?? t("transcript.session"));
  const exported = paths.flatMap((path) => recordIn(sessions, path) ?? []);
  const haveSubagents = exported.some(({ subagent_count }) => subagent_count > 0);
  const isArchive = only === undefined || (haveSubagents && options.subagents && options.format === "jsonl");

  const isRedacted = options.redact && options.format !== "jsonl";
  const isDisabled = isBusy || (isRedacted && wordProblem(wordsIn(options.words)) !== null);

  /** Closes the dialog, unless the work says that nothing was done. */
  async function run(work: Promise<unknown>) {
    setBusy(true);
    try {
      if ((await work) !== false) return onClose();
    } catch (error) {
      toastError(t("export.failed"), error);
    }
    setBusy(false);
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      size={only === undefined ? "md" : "xl"}
      title={t("export.title")}
      description={title === null ? t("list.count", { count: paths.length }) : <Title text={title} />}
      footer={
        <>
          {only !== undefined && options.format === "html" && (
            <Button
              icon={ExternalLink}
              disabled={isDisabled}
              onClick={() => void run(openExport(service, { path: only, title: title ?? "" }, options, leafId))}
            >
              {t(isDesktop ? "desktop.open_in_browser" : "export.open")}
            </Button>
          )}
          <Button
            variant="primary"
            icon={Download}
            disabled={isDisabled}
            onClick={() => void run(saveExport(service, paths, options, leafId, isArchive))}
          >
            {isBusy ? t("export.preparing") : isArchive ? t("export.save_zip") : t("export.save")}
          </Button>
        </>
      }
    >
      <div
        className={
          only === undefined ? "" : "grid grid-cols-[minmax(0,1fr)] gap-5 desk:grid-cols-[17rem_minmax(0,1fr)]"
        }
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Options
            options={options}
            path={only}
            records={exported}
            haveSubagents={haveSubagents}
            leafId={leafId}
            onLeaf={setLeafId}
          />
          {only === undefined && <Sessions paths={paths} isRedacted={isRedacted} />}
        </div>
        {only !== undefined && <Preview path={only} options={options} leafId={leafId} />}
      </div>
    </Dialog>
  );
}

/** Its beginning: a title may be of any length, and be one word. */
function Title({ text }: { text: string }) {
  return (
    <span title={text} className="line-clamp-1 [overflow-wrap:anywhere]">
      {text}
    </span>
  );
}

interface OptionsProps {
  options: ExportOptions;
  /** The session, if it is one. */
  path: string | undefined;
  records: readonly SessionRecord[];
  haveSubagents: boolean;
  leafId: string | null;
  onLeaf(leafId: string | null): void;
}

/** What the user chooses, which the browser remembers but for the branch. */
function Options({ options, path, records, haveSubagents, leafId, onLeaf }: OptionsProps) {
  const isFile = options.format === "jsonl";
  const change = (changed: Partial<ExportOptions>) => exportOptions.set({ ...options, ...changed });
  return (
    <>
      <Field label={t("export.format")}>
        {() => (
          <div className="[&>div]:flex [&_button]:flex-1 [&_button]:px-1!">
            <Segments
              label={t("export.format")}
              value={options.format}
              options={EXPORT_FORMATS.map((format) => ({ value: format, text: t(`export.format_${format}`) }))}
              onChange={(format) => change({ format })}
            />
          </div>
        )}
      </Field>
      <p className="-mt-2 text-faint text-xs">{t(`export.about_${options.format}`)}</p>
      {!isFile && (
        <div className="flex flex-col gap-2">
          <IncludedParts options={options} onChange={change} />
          <Checkbox checked={options.redact} onCheckedChange={(redact) => change({ redact })}>
            {t("export.redact")}
          </Checkbox>
          {options.redact && (
            <OwnWords words={options.words} records={records} onChange={(words) => change({ words })} />
          )}
        </div>
      )}
      {haveSubagents && (
        <div>
          <Checkbox checked={options.subagents} onCheckedChange={(subagents) => change({ subagents })}>
            {t("export.subagents")}
          </Checkbox>
          {path !== undefined && options.subagents && isFile && (
            <p className="pt-1 text-faint text-xs">{t("export.subagents_hint")}</p>
          )}
        </div>
      )}
      {!isFile && options.redact && path !== undefined && (
        <RedactionPreview path={path} options={options} leafId={leafId} />
      )}
      {options.format === "html" && (
        <Field label={t("export.theme")}>
          {({ id }) => (
            <Select
              id={id}
              className="w-full"
              value={options.theme}
              options={EXPORT_THEMES.map((theme) => ({ value: theme, text: t(`export.theme_${theme}`) }))}
              onChange={(theme) => change({ theme })}
            />
          )}
        </Field>
      )}
      {!isFile && path !== undefined && (
        <BranchChoice path={path} leafId={leafId} isWhole={options.format !== "markdown"} onChange={onLeaf} />
      )}
    </>
  );
}

function Preview({ path, options, leafId }: { path: string; options: ExportOptions; leafId: string | null }) {
  // Choosing comes first.
  const shown = useDeferredValue(options);
  return (
    <div className="flex h-[54vh] flex-col *:flex-1 phone:h-[50vh]">
      <ExportPreview address={exportAddress(path, shown, leafId)} format={shown.format} />
    </div>
  );
}

/** Sessions that are named; of more, how many there are. */
const NAMED = 5;

function Sessions({ paths, isRedacted }: { paths: readonly string[]; isRedacted: boolean }) {
  const { records } = useSessions();
  const known = paths.flatMap((path) => records.get(path) ?? []);
  const size = known.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return (
    <section aria-label={t("export.sessions")} className="rounded-md bg-sunken p-3 text-sm">
      <ul>
        {known.slice(0, NAMED).map(({ path, title }) => (
          <li key={path} className="truncate">
            {title}
          </li>
        ))}
      </ul>
      <p className="pt-1 text-faint text-xs">
        {known.length > NAMED && `${t("export.more", { count: known.length - NAMED })} · `}
        {t("export.size", { size: formatBytes(size) })}
      </p>
      {isRedacted && <p className="pt-1 text-faint text-xs">{t("export.redactions_each")}</p>}
    </section>
  );
}
