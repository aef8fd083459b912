import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../design/button.tsx";
import { tryToCopy } from "../design/copy-text.ts";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";

/** A command for a terminal, to be copied. */
export function CommandLine({ command, label }: { command: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    if (await tryToCopy(command)) setCopied(true);
    else toast({ text: t("frame.copy_failed"), tone: "danger" });
  }
  return (
    <div className="flex items-start gap-1 rounded-md bg-press py-1 pr-1 pl-3 text-left">
      <code className="min-w-0 flex-1 select-all py-1 font-mono text-ink text-xs [overflow-wrap:anywhere]">
        {command}
      </code>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? t("frame.copied") : label}
        size="sm"
        onClick={() => void copy()}
      />
    </div>
  );
}
