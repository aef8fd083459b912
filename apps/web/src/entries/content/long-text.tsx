import { type ReactNode, useState } from "react";
import { t } from "../../i18n/text.ts";

/** UTF-16 units of a text that are shown at first, and then with each wish for more. */
const STEP = 64 * 1024;
/** A shorter rest does not need a button. */
const SLACK = 8 * 1024;

/** Shows the beginning of a text, and more on request: layout of megabytes takes seconds. */
export function LongText({ text, children }: { text: string; children: (shown: string) => ReactNode }) {
  const [length, setLength] = useState(STEP);
  if (text.length <= length + SLACK) return children(text);
  // Whole lines, where there are any.
  const lineEnd = text.lastIndexOf("\n", length);
  const shown = text.slice(0, lineEnd > length / 2 ? lineEnd : length);
  return (
    <>
      {children(shown)}
      <button type="button" className="more" onClick={() => setLength(length * 4)}>
        {t("transcript.show_more", { count: text.length - shown.length })}
      </button>
    </>
  );
}
