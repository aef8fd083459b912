import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { tryToCopy } from "../../design/copy-text.ts";
import { toast } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";

/** Milliseconds for which a button says that it has copied. */
const SAID_FOR = 1_500;

/** Copies a text, and says so in its own place. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    if (!(await tryToCopy(text))) {
      toast({ text: t("frame.copy_failed"), tone: "danger" });
      return;
    }
    setIsCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsCopied(false), SAID_FOR);
  };

  const label = isCopied ? t("frame.copied") : t("transcript.copy");
  return (
    <button
      type="button"
      className="copy"
      title={label}
      data-copied={isCopied || undefined}
      onClick={() => void copy()}
    >
      {isCopied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      <span className="sr-only" aria-live="polite">
        {label}
      </span>
    </button>
  );
}
