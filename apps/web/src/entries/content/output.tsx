import { useMemo } from "react";
import { ScrollBox } from "../../design/scroll-box.tsx";
import { t } from "../../i18n/text.ts";
import { CopyButton } from "./copy-button.tsx";
import { useColoredDiff } from "./highlighting.ts";
import { LongText } from "./long-text.tsx";
import { Markup } from "./markup.tsx";
import { type Diff, renderedOutput } from "./rendered.ts";

/** Shows what a program has written, with the colours of a terminal. */
export function Output({ text, failed = false }: { text: string; failed?: boolean }) {
  return <LongText text={text}>{(shown) => <ShownOutput text={shown} whole={text} failed={failed} />}</LongText>;
}

function ShownOutput({ text, whole, failed }: { text: string; whole: string; failed: boolean }) {
  const html = useMemo(() => renderedOutput(text), [text]);
  return (
    <div className={`code output${failed ? " failed" : ""}`}>
      <CopyButton text={whole} />
      <ScrollBox label={t("transcript.output")}>
        <Markup as="samp" html={html} />
      </ScrollBox>
    </div>
  );
}

/** Shows a diff, with the colours of the code of its file once the browser has time for that. */
export function DiffView({ diff, path }: { diff: Diff; path: string | null }) {
  return <Markup as="div" html={useColoredDiff(diff, path) ?? diff.html} />;
}
