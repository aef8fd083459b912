import { useState } from "react";
import { usePreference } from "../browser/preference.ts";
import { Switch } from "../design/choices.tsx";
import { askForNotifications, type NotificationRight, notificationRight } from "../desktop/notification.ts";
import { notificationPreference } from "../desktop/notification-preference.ts";
import type { PlainTextKey } from "../i18n/text.ts";
import { t } from "../i18n/text.ts";

const HINTS: Readonly<Record<NotificationRight, PlainTextKey>> = {
  granted: "settings.notify_hint",
  default: "settings.notify_hint",
  denied: "settings.notify_denied",
  missing: "settings.notify_missing",
};

/** Whether agents are told of while the page is not in front. Turning it on asks for the browser's permission. */
export function NotificationSwitch() {
  const isWanted = usePreference(notificationPreference);
  const [right, setRight] = useState(notificationRight);

  async function change(isOn: boolean) {
    const given = isOn ? await askForNotifications() : right;
    setRight(given);
    notificationPreference.set(isOn && given === "granted");
  }

  return (
    <Switch
      label={t("settings.notify")}
      hint={t(HINTS[right])}
      checked={isWanted && right === "granted"}
      disabled={right === "missing" || right === "denied"}
      onCheckedChange={(isOn) => void change(isOn)}
    />
  );
}
