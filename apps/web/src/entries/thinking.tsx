import { Brain } from "lucide-react";
import { t } from "../i18n/text.ts";
import { Prose } from "./content/prose.tsx";
import { Disclosure } from "./disclosure.tsx";

interface ThinkingProps {
  id: string;
  text: string;
  /** The provider has withheld the text or a part of it. */
  isRedacted?: boolean;
}

/** Shows finished thinking as collapsed details; nothing without text. */
export function Thinking({ id, text, isRedacted = false }: ThinkingProps) {
  if (text.trim() === "" && !isRedacted) return null;
  return (
    <Disclosure
      kind="thinking"
      id={id}
      className="thinking"
      summary={
        <>
          <Brain aria-hidden className="call-icon" strokeWidth={1.75} />
          <span>{t("transcript.thinking")}</span>
        </>
      }
    >
      {() => (
        <>
          <Prose text={text} style="typed" />
          {isRedacted && <p className="quiet">{t("transcript.withheld")}</p>}
        </>
      )}
    </Disclosure>
  );
}
