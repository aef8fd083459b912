import { useMemo } from "react";
import { ScrollBox } from "../../design/scroll-box.tsx";
import { t } from "../../i18n/text.ts";
import { CopyButton } from "./copy-button.tsx";
import { type LanguageHint, useHighlighted } from "./highlighting.ts";
import { LongText } from "./long-text.tsx";
import { Markup } from "./markup.tsx";

interface CodeBlockProps {
  code: string;
  /** The word behind a fence. */
  word?: string;
  /** Of the file that the code is from. */
  path?: string | null;
}

/** Shows code, highlighted where its language is known. */
export function CodeBlock({ code, word, path }: CodeBlockProps) {
  return <LongText text={code}>{(shown) => <ShownCode code={shown} whole={code} word={word} path={path} />}</LongText>;
}

function ShownCode({
  code,
  whole,
  word,
  path,
}: {
  code: string;
  whole: string;
  word?: string | undefined;
  path?: string | null | undefined;
}) {
  const hint = useMemo<LanguageHint | null>(() => {
    if (word !== undefined && word !== "") return { word };
    return path === undefined || path === null ? null : { path };
  }, [word, path]);
  const highlighted = useHighlighted(code, hint);
  return (
    <div className="code">
      {highlighted?.language != null && <span className="code-language">{highlighted.language}</span>}
      <CopyButton text={whole} />
      <ScrollBox label={t("transcript.code")}>
        {highlighted?.html == null ? <code>{code}</code> : <Markup as="code" html={highlighted.html} />}
      </ScrollBox>
    </div>
  );
}
