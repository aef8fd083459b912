import { Dialog } from "../design/dialog.tsx";
import { Keys } from "../design/keys.tsx";
import { t } from "../i18n/text.ts";
import { useAllActions } from "../shortcuts/actions.ts";
import { type ActionGroup, GROUP_TITLES, keysInForce } from "../shortcuts/registry.ts";

/** Shows the keys of everything that can be done on this screen. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const actions = keysInForce(useAllActions());
  return (
    <Dialog open onOpenChange={onClose} title={t("shortcuts.title")} size="lg">
      <div className="columns-2 gap-10 phone:columns-1">
        {(Object.keys(GROUP_TITLES) as ActionGroup[]).map((group) => (
          <Group key={group} group={group} actions={actions.filter(({ action }) => action.group === group)} />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ group, actions }: { group: ActionGroup; actions: ReturnType<typeof keysInForce> }) {
  if (actions.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 text-faint text-xs">{t(GROUP_TITLES[group])}</h3>
      <dl>
        {actions.map(({ action, keys }) => (
          <div key={action.id} className="flex min-h-7 items-center justify-between gap-4 text-sm">
            <dt>{t(action.title)}</dt>
            <dd className="flex gap-2">
              {keys.map((one) => (
                <Keys key={one} keys={one} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
