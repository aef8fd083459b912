import { wordProblem, wordsIn } from "@sm/core";
import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { errorText } from "../design/error-state.tsx";
import { SkeletonLines } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { type ExportOptions, redactedWords } from "./export-options.ts";

interface RedactionPreviewProps {
  path: string;
  options: ExportOptions;
  leafId: string | null;
}

/** Tells what would be replaced in an export, before it is made. */
export function RedactionPreview({
  path,
  options: { thinking, tools, notes, subagents, words },
  leafId,
}: RedactionPreviewProps) {
  const { data, error } = useQuery({
    ...commandQuery(useService(), "preview_redactions", {
      path,
      include_thinking: thinking,
      include_tools: tools,
      ...(notes && { include_notes: true }),
      ...(subagents && { include_subagents: true }),
      ...redactedWords({ words }),
      ...(leafId !== null && { leaf_id: leafId }),
    }),
    // The field says what is wrong.
    enabled: wordProblem(wordsIn(words)) === null,
    // The session may have grown since it was last displayed.
    staleTime: 0,
  });
  if (error !== null) return <p className="text-danger text-xs">{errorText(error)}</p>;
  if (data === undefined) return <SkeletonLines count={2} className="py-1" />;
  return (
    <section aria-label={t("export.redactions")} className="rounded-md bg-sunken p-3 text-xs">
      <p className="text-muted">
        {data.total === 0 ? t("export.redactions_none") : t("export.redactions_total", { count: data.total })}
      </p>
      <ul>
        {data.findings.map(({ type, count, examples }) => (
          <li key={type} className="pt-2">
            <span className="flex justify-between gap-2">
              <span className="font-strong">{type}</span>
              <span className="text-faint tabular-nums">{count}</span>
            </span>
            {examples.map(({ excerpt }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: examples of one answer never move
              <code key={index} className="block truncate pt-0.5 font-mono text-muted" title={excerpt}>
                {excerpt}
              </code>
            ))}
          </li>
        ))}
      </ul>
      <p className="pt-2 text-faint">{t("export.redactions_hint")}</p>
    </section>
  );
}
