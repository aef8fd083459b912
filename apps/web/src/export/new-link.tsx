import { wordProblem, wordsIn } from "@sm/core";
import type { CommandOutput, SessionRecord } from "@sm/router/client";
import { useQueryClient } from "@tanstack/react-query";
import { Check, Copy, Link } from "lucide-react";
import { useState } from "react";
import { commandKey, useCommand } from "../client/commands.ts";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Select } from "../design/choices.tsx";
import { tryToCopy } from "../design/copy-text.ts";
import { errorText } from "../design/error-state.tsx";
import { Field } from "../design/input.tsx";
import { toast } from "../design/toast.tsx";
import { formatMoment } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { BranchChoice } from "./branch-choice.tsx";
import { type ExportOptions, exportOptions, redactedWords } from "./export-options.ts";
import { IncludedParts } from "./included-parts.tsx";
import { endOf, LIFETIMES, type Lifetime } from "./link-lifetimes.ts";
import { OwnWords } from "./own-words.tsx";
import { RedactionPreview } from "./redaction-preview.tsx";

/** A link, which only the answer that made it tells. */
export type MadeLink = Pick<CommandOutput<"share_session">, "url" | "expires_at">;

interface NewLinkFormProps {
  path: string;
  /** `null` where it is not known yet. */
  record: SessionRecord | null;
  leafId: string | null;
  onMade(link: MadeLink): void;
}

/** What of the session is shared, for how long, and what is replaced in it. */
export function NewLinkForm({ path, record, leafId: shown, onMade }: NewLinkFormProps) {
  const queries = useQueryClient();
  // Notes are private: whoever had them in a file of their own last does not mean to publish them.
  const [options, setOptions] = useState<ExportOptions>(() => ({ ...exportOptions.get(), notes: false }));
  const [leafId, setLeafId] = useState(shown);
  const [lifetime, setLifetime] = useState<Lifetime>("7");
  const change = (changed: Partial<ExportOptions>) => setOptions({ ...options, ...changed });
  const haveSubagents = (record?.subagent_count ?? 0) > 0;
  const subagents = haveSubagents && options.subagents;
  function changeWords(words: string): void {
    change({ words });
    exportOptions.set({ ...exportOptions.get(), words });
  }
  const share = useCommand("share_session", {
    onSuccess(made) {
      void queries.invalidateQueries({ queryKey: commandKey("list_shares") });
      onMade(made);
    },
  });

  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted text-sm">{t("share.text")}</p>
      <div className="grid grid-cols-1 gap-5 desk:grid-cols-2">
        <div className="flex flex-col gap-4">
          <div className="flex flex-col gap-2">
            <IncludedParts options={options} onChange={change} />
            {haveSubagents && (
              <Checkbox checked={options.subagents} onCheckedChange={(chosen) => change({ subagents: chosen })}>
                {t("export.subagents")}
              </Checkbox>
            )}
          </div>
          <OwnWords words={options.words} records={record === null ? [] : [record]} onChange={changeWords} />
          <BranchChoice path={path} leafId={leafId} isWhole onChange={setLeafId} />
          <Field label={t("share.lifetime")}>
            {({ "aria-invalid": _invalid, ...attributes }) => (
              <Select
                {...attributes}
                className="w-full"
                value={lifetime}
                onChange={(days) => setLifetime(days)}
                options={LIFETIMES.map((days) => ({ value: days, text: t("share.days", { count: Number(days) }) }))}
              />
            )}
          </Field>
        </div>
        <RedactionPreview path={path} options={{ ...options, subagents }} leafId={leafId} />
      </div>
      {share.error !== null && (
        <p role="alert" className="text-danger text-sm">
          {errorText(share.error)}
        </p>
      )}
      <Button
        variant="primary"
        icon={Link}
        className="self-end"
        disabled={share.isPending || wordProblem(wordsIn(options.words)) !== null}
        onClick={() =>
          share.mutate({
            path,
            include_thinking: options.thinking,
            include_tools: options.tools,
            include_notes: options.notes,
            include_subagents: subagents,
            ...redactedWords(options),
            theme: options.theme,
            expires_at: endOf(lifetime, new Date()),
            ...(leafId !== null && { leaf_id: leafId }),
          })
        }
      >
        {share.isPending ? t("export.preparing") : t("share.make")}
      </Button>
    </div>
  );
}

/** Shows a new link, this once. */
export function NewLinkShown({ link, onDone }: { link: MadeLink; onDone(): void }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    if (await tryToCopy(link.url)) setCopied(true);
    else toast({ text: t("frame.copy_failed"), tone: "danger" });
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted text-sm">{t("share.once", { until: formatMoment(link.expires_at) })}</p>
      <code className="select-all rounded-md bg-sunken px-3 py-2.5 font-mono text-sm [overflow-wrap:anywhere]">
        {link.url}
      </code>
      <div className="flex justify-end gap-2">
        <Button icon={isCopied ? Check : Copy} onClick={() => void copy()} autoFocus>
          {isCopied ? t("frame.copied") : t("share.copy")}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t("share.done")}
        </Button>
      </div>
    </div>
  );
}
