import { type FormEvent, useState } from "react";
import { useConnection, useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";

/** Asks for a token while the service does. */
export function TokenDialog() {
  const service = useService();
  const connection = useConnection();
  const [token, setToken] = useState("");
  const [remember, setRemember] = useState(false);
  const isWrong = connection.state === "unauthorized" && service.token() !== null;

  function signIn(event: FormEvent) {
    event.preventDefault();
    if (token.trim() !== "") service.signIn(token.trim(), { remember });
  }

  return (
    <Dialog
      open
      onOpenChange={() => {}}
      isModalOnly
      title={t("connection.token_title")}
      description={t("connection.token_text")}
    >
      <form onSubmit={signIn} className="flex flex-col gap-4 pt-2">
        <Field
          label={t("connection.token")}
          error={isWrong ? `${t("connection.token_wrong")} ${connection.error.message}` : null}
        >
          {(attributes) => (
            <Input
              {...attributes}
              type="password"
              placeholder="sm_…"
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Checkbox checked={remember} onCheckedChange={setRemember}>
            {t("connection.token_remember")}
          </Checkbox>
          <p className="pl-6 text-faint text-xs">{t("connection.token_remember_hint")}</p>
        </div>
        <Button type="submit" variant="primary" className="self-end">
          {t("connection.token_use")}
        </Button>
      </form>
    </Dialog>
  );
}
