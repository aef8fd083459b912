import { LogIn } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type Health, useHealth } from "../client/health.ts";
import { useConnection, useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";

/** Asks for a token while the service does, or lets one sign in where that is possible. */
export function TokenDialog() {
  const { data: health } = useHealth();
  const signIn = health?.sign_in;
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      isModalOnly
      title={t(signIn === undefined ? "connection.token_title" : "hub.sign_in_title")}
      description={t(
        signIn !== undefined ? "hub.sign_in_text" : health?.kind === "hub" ? "hub.token_text" : "connection.token_text",
      )}
    >
      {signIn !== undefined && <SignIn {...signIn} />}
      <TokenForm isSecond={signIn !== undefined} />
    </Dialog>
  );
}

/** Leads to the provider, which leads back to this address. */
function SignIn({ url, provider }: NonNullable<Health["sign_in"]>) {
  const here = `${location.pathname}${location.search}`;
  return (
    <a
      href={`${url}?return_to=${encodeURIComponent(here)}`}
      className="mt-2 inline-flex h-9 w-full items-center justify-center gap-2 rounded-md bg-accent-fill px-3 text-on-accent text-sm hover:brightness-110 touch:h-11"
    >
      <LogIn aria-hidden size={16} strokeWidth={1.75} />
      {t("hub.sign_in", { provider })}
    </a>
  );
}

/** @param isSecond whether there is a better way in above it. */
function TokenForm({ isSecond }: { isSecond: boolean }) {
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
    <form onSubmit={signIn} className="flex flex-col gap-4 pt-4">
      <Field
        label={t(isSecond ? "hub.or_token" : "connection.token")}
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
      <Button type="submit" variant={isSecond ? "secondary" : "primary"} className="self-end">
        {t("connection.token_use")}
      </Button>
    </form>
  );
}
