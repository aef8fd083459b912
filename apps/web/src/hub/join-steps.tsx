import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { t } from "../i18n/text.ts";
import { NewKeyDialog } from "../tokens/new-key-dialog.tsx";
import { CommandLine } from "./command-line.tsx";

const TOKEN_FILE = "~/.config/session-manager/hub-token";

/** How a machine begins to send its sessions here, step by step. */
export function JoinSteps() {
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <ol className="flex list-decimal flex-col gap-4 pl-5 text-left text-muted text-sm">
        <li>
          <p className="pb-2">{t("hub.join_token")}</p>
          <Button icon={Plus} size="sm" onClick={() => setMaking(true)}>
            {t("settings.key_new")}
          </Button>
        </li>
        <li>
          <p className="pb-2">{t("hub.join_file")}</p>
          <CommandLine
            label={t("hub.copy_file_command")}
            command={`mkdir -p ~/.config/session-manager && (umask 077 && cat > ${TOKEN_FILE})`}
          />
        </li>
        <li>
          <p className="pb-2">{t("hub.join_command")}</p>
          <CommandLine
            label={t("hub.copy_join_command")}
            command={`session-cli hub join ${location.origin} --token-file ${TOKEN_FILE}`}
          />
        </li>
      </ol>
      <NewKeyDialog open={isMaking} usualScope="full" onClose={() => setMaking(false)} onMade={() => undefined} />
    </>
  );
}
