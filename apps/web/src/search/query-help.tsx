import { CircleHelp } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../design/button.tsx";
import { Popover } from "../design/popover.tsx";
import { type PlainTextKey, t } from "../i18n/text.ts";

interface Example {
  query: string;
  text: PlainTextKey;
}

const WORDS: readonly Example[] = [
  { query: "tide clock", text: "search.help_words" },
  { query: '"tide clock"', text: "search.help_phrase" },
  { query: "migrat*", text: "search.help_beginning" },
  { query: "sqlite OR postgres", text: "search.help_or" },
  { query: "deploy -test", text: "search.help_not" },
  { query: "(sqlite OR postgres) index", text: "search.help_group" },
  { query: "getUserName", text: "search.help_identifier" },
  { query: "~serNa", text: "search.help_substring" },
];

const FIELDS: readonly Example[] = [
  { query: "role:user", text: "search.help_role" },
  { query: "tool:bash", text: "search.help_tool" },
  { query: "file:*.ts", text: "search.help_file" },
  { query: "agent:claude", text: "search.help_agent" },
  { query: "model:opus", text: "search.help_model" },
  { query: "project:app", text: "search.help_project" },
  { query: "name:refactor", text: "search.help_name" },
  { query: "tag:work", text: "search.help_tag" },
  { query: "is:favorite", text: "search.help_is" },
  { query: "is:bookmarked", text: "search.help_bookmarked" },
  { query: "after:yesterday", text: "search.help_after" },
  { query: "before:2026-11", text: "search.help_before" },
];

interface QueryHelpProps {
  /** Searches for an example. */
  onExample(query: string): void;
}

/** Explains how to search, in a popover. */
export function QueryHelp({ onExample }: QueryHelpProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      label={t("search.help")}
      trigger={<IconButton icon={CircleHelp} label={t("search.help")} className="size-10!" />}
    >
      <p className="px-2 pb-2 text-muted text-xs">{t("search.help_intro")}</p>
      <QueryExamples
        onExample={(query) => {
          setOpen(false);
          onExample(query);
        }}
      />
    </Popover>
  );
}

/** The language of queries by its examples, each of which can be tried. */
export function QueryExamples({ onExample, isWide = false }: QueryHelpProps & { isWide?: boolean }) {
  return (
    <div className={isWide ? "grid gap-x-8 desk:grid-cols-2" : ""}>
      <Examples title={t("search.help_text")} examples={WORDS} onExample={onExample} />
      <Examples title={t("search.help_fields")} examples={FIELDS} onExample={onExample} />
    </div>
  );
}

function Examples({ title, examples, onExample }: QueryHelpProps & { title: string; examples: readonly Example[] }) {
  return (
    <section className="pb-2">
      <h3 className="px-2 py-1 font-normal text-faint text-xs">{title}</h3>
      <ul>
        {examples.map(({ query, text }) => (
          <li key={query}>
            <button
              type="button"
              onClick={() => onExample(query)}
              className="flex min-h-8 w-full flex-wrap items-baseline gap-x-3 rounded-md px-2 py-1 text-left hover:bg-hover touch:min-h-11"
            >
              <code className="font-mono text-accent text-xs">{query}</code>
              <span className="text-muted text-xs">{t(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
