import {
  accountsIn,
  MAX_WORD_LENGTH,
  MAX_WORDS,
  MAX_WORDS_LENGTH,
  MIN_WORD_LENGTH,
  wordProblem,
  wordsIn,
} from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, TextArea } from "../design/input.tsx";
import { t } from "../i18n/text.ts";

/** Each change searches the whole session. */
const PAUSE_MS = 400;
const MAX_OFFERED = 3;

interface OwnWordsProps {
  /** As typed before. */
  words: string;
  /** The sessions that are exported. */
  records: readonly Pick<SessionRecord, "path" | "cwd">[];
  onChange(words: string): void;
}

/** Asks for words that are replaced besides secrets, and offers the name of the account. */
export function OwnWords({ words, records, onChange }: OwnWordsProps) {
  const [typed, setTyped] = useState(words);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (typed === words) return;
    const timer = setTimeout(() => latest.current(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, words]);

  const chosen = wordsIn(typed);
  const known = new Set(chosen.map((word) => word.toLowerCase()));
  const offered = accountsIn(records.flatMap(({ path, cwd }) => [cwd ?? "", path]))
    .filter((account) => !known.has(account.toLowerCase()))
    .slice(0, MAX_OFFERED);

  function add(word: string): void {
    const changed = [...chosen, word].join("\n");
    setTyped(changed);
    onChange(changed);
  }

  return (
    <div className="flex flex-col gap-2">
      <Field label={t("export.words")} hint={t("export.words_hint")} error={problemText(chosen)}>
        {(attributes) => (
          <TextArea
            {...attributes}
            rows={2}
            spellCheck={false}
            autoComplete="off"
            className="min-h-14"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={() => typed !== words && onChange(typed)}
          />
        )}
      </Field>
      {offered.map((account) => (
        <Button key={account} size="sm" icon={Plus} className="self-start" onClick={() => add(account)}>
          {t("export.words_add", { word: account })}
        </Button>
      ))}
    </div>
  );
}

function problemText(words: readonly string[]): string | null {
  const found = wordProblem(words);
  switch (found?.problem) {
    case undefined:
      return null;
    case "short":
      return t("export.words_short", { word: found?.word ?? "", least: MIN_WORD_LENGTH });
    case "signs":
      return t("export.words_signs", { word: found?.word ?? "" });
    case "long":
      return t("export.words_long", { most: MAX_WORD_LENGTH });
    case "many":
      return t("export.words_many", { most: MAX_WORDS });
    case "together":
      return t("export.words_together", { most: MAX_WORDS_LENGTH });
  }
}
