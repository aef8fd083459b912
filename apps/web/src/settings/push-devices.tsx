import type { CommandOutput } from "@sm/router/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePreference } from "../browser/preference.ts";
import { commandKey, commandQuery, useCommand } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Chip } from "../design/chip.tsx";
import { Switch } from "../design/choices.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Line, Lines } from "../design/lines.tsx";
import { toast, toastError } from "../design/toast.tsx";
import { formatWhen } from "../i18n/format.ts";
import type { PlainTextKey } from "../i18n/text.ts";
import { t } from "../i18n/text.ts";
import { pushDevicePreference } from "../push/push-preference.ts";
import { type PushRight, pushRight, subscribe, unsubscribe } from "../push/subscription.ts";

type Device = CommandOutput<"list_push_devices">["devices"][number];

const HINTS: Readonly<Record<PushRight, PlainTextKey>> = {
  allowed: "push.hint",
  insecure: "push.insecure",
  unsupported: "push.unsupported",
  denied: "push.denied",
};

/** Whether this device is notified while the page is closed, and which others are. */
export function PushDevices() {
  const { data, error, refetch } = useQuery(commandQuery(useService(), "list_push_devices"));
  if (error !== null) return <ErrorState title={t("push.failed")} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PushSwitch publicKey={data?.public_key ?? null} devices={data?.devices ?? []} />
      {data !== undefined && data.devices.length > 0 && <DeviceLines devices={data.devices} />}
    </>
  );
}

function PushSwitch({ publicKey, devices }: { publicKey: string | null; devices: readonly Device[] }) {
  const own = usePreference(pushDevicePreference);
  const reload = useReload();
  const [right, setRight] = useState(pushRight);
  const [isChanging, setChanging] = useState(false);
  const add = useCommand("add_push_device");
  const remove = useCommand("remove_push_device");
  const isOn = devices.some(({ id }) => id === own);

  async function change(isWanted: boolean): Promise<void> {
    if (isWanted) {
      const subscription = publicKey === null ? null : await subscribe(publicKey);
      setRight(pushRight());
      if (subscription !== null) pushDevicePreference.set((await add.mutateAsync(subscription)).id);
    } else if (own !== null) {
      await unsubscribe();
      pushDevicePreference.set(null);
      await remove.mutateAsync({ id: own });
    }
    await reload();
  }

  return (
    <Switch
      label={t("push.switch")}
      hint={t(HINTS[right])}
      checked={isOn}
      disabled={publicKey === null || isChanging || (right !== "allowed" && !isOn)}
      onCheckedChange={(isWanted) => {
        setChanging(true);
        change(isWanted)
          .catch((error: unknown) => toastError(t("push.failed"), error))
          .finally(() => setChanging(false));
      }}
    />
  );
}

function DeviceLines({ devices }: { devices: readonly Device[] }) {
  const own = usePreference(pushDevicePreference);
  const reload = useReload();
  const remove = useCommand("remove_push_device", {
    onSuccess: reload,
    onError: (error) => toastError(t("push.remove_failed"), error),
  });

  return (
    <div className="pt-4">
      <h3 className="pb-2 font-normal text-muted text-xs">{t("push.devices")}</h3>
      <Lines label={t("push.devices")}>
        {devices.map(({ id, name, created_at }) => (
          <Line key={id} className="flex-wrap">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2">
                <span className="truncate text-sm">{name}</span>
                {id === own && <Chip tone="plain">{t("push.this_device")}</Chip>}
              </p>
              <p className="text-faint text-xs">{t("push.since", { when: formatWhen(created_at, new Date()) })}</p>
            </div>
            <Button
              size="sm"
              aria-label={t("push.remove_named", { name })}
              onClick={() => remove.mutate({ id }, { onSuccess: () => toast({ text: t("push.removed", { name }) }) })}
            >
              {t("push.remove")}
            </Button>
          </Line>
        ))}
      </Lines>
    </div>
  );
}

/** Asks for the devices again: no event tells of them. */
function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: commandKey("list_push_devices") });
}
