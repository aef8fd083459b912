import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { commandKey, commandQuery, useCommand } from "../client/commands.ts";
import type { HubUser, SharedProject } from "../client/hub.ts";
import { useService } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Switch } from "../design/choices.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorState, errorText } from "../design/error-state.tsx";
import { Input } from "../design/input.tsx";
import { SkeletonLines } from "../design/placeholder.tsx";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";

interface ShareProjectDialogProps {
  /** A working directory of own sessions. */
  project: string;
  onClose(): void;
}

/** Asks with whom the sessions of a project are shared, and shows who has it now. */
export function ShareProjectDialog({ project, onClose }: ShareProjectDialogProps) {
  const service = useService();
  // Somebody may have come meanwhile.
  const users = useQuery({ ...commandQuery(service, "list_hub_users"), staleTime: 0 });
  const shared = useQuery({ ...commandQuery(service, "list_shared_projects"), staleTime: 0 });
  const error = users.error ?? shared.error;
  const isKnown = users.data !== undefined && shared.data !== undefined && !shared.isFetching;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("rail.share_project_title")}
      description={<span className="font-mono text-xs [overflow-wrap:anywhere]">{project}</span>}
    >
      {isKnown ? (
        <Audience
          project={project}
          others={users.data.filter(({ is_me }) => !is_me)}
          shared={shared.data.find((one) => one.owner === null && one.project === project) ?? null}
          onClose={onClose}
        />
      ) : error !== null ? (
        <ErrorState
          title={t("hub.share_failed")}
          error={error}
          onRetry={() => void Promise.all([users.refetch(), shared.refetch()])}
        />
      ) : (
        <SkeletonLines count={4} />
      )}
    </Dialog>
  );
}

/** People beyond which a field finds them. */
const FEW = 8;

interface AudienceProps extends ShareProjectDialogProps {
  others: readonly HubUser[];
  /** `null`: it is shared with nobody. */
  shared: SharedProject | null;
}

function Audience({ project, others, shared, onClose }: AudienceProps) {
  const before = new Set(shared?.users.map(({ id }) => id));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(before);
  const [everybody, setEverybody] = useState(shared?.everybody ?? false);
  const [filter, setFilter] = useState("");
  const save = useAudience(project, shared, () => {
    const count = chosen.size;
    toast({
      text: everybody ? t("hub.shared_all") : count === 0 ? t("hub.unshared") : t("hub.shared", { count }),
    });
    onClose();
  });
  const hasChanged = everybody !== (shared?.everybody ?? false) || !areSame(chosen, before);
  const found = others.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));

  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.run({ users: [...chosen], everybody });
      }}
    >
      <p className="text-muted text-sm">{t("hub.share_text")}</p>
      <Switch
        label={t("hub.everybody")}
        hint={t("hub.everybody_hint")}
        checked={everybody}
        onCheckedChange={setEverybody}
      />
      <fieldset disabled={everybody} className="flex min-w-0 flex-col gap-2 disabled:opacity-60">
        <legend className="pb-2 text-muted text-sm">{t("hub.people")}</legend>
        {others.length === 0 && <p className="text-muted text-sm">{t("hub.nobody_else")}</p>}
        {others.length > FEW && (
          <Input
            type="search"
            aria-label={t("hub.filter_people")}
            placeholder={t("hub.filter_people")}
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
            onClear={() => setFilter("")}
          />
        )}
        <ul className="flex max-h-60 flex-col gap-2 overflow-y-auto p-0.5">
          {found.map(({ id, name, role }) => (
            <li key={id} className="flex items-center gap-2">
              <Checkbox
                checked={everybody || chosen.has(id)}
                disabled={everybody}
                onCheckedChange={(isChosen) => choose(id, isChosen)}
              >
                {name}
              </Checkbox>
              <span className="text-faint text-xs">{t(`hub.role_${role}`)}</span>
            </li>
          ))}
        </ul>
      </fieldset>
      {save.error !== null && (
        <p role="alert" className="text-danger text-sm">
          {errorText(save.error)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Link
          to="/settings/$"
          params={{ _splat: "sharing" }}
          onClick={onClose}
          className="mr-auto text-accent text-sm hover:underline"
        >
          {t("hub.all_shared")}
        </Link>
        <Button onClick={onClose}>{t("frame.cancel")}</Button>
        <Button type="submit" variant="primary" disabled={!hasChanged || save.isPending}>
          {t(shared !== null && !everybody && chosen.size === 0 ? "hub.stop_sharing" : "hub.save")}
        </Button>
      </div>
    </form>
  );
}

interface Wanted {
  users: readonly string[];
  everybody: boolean;
}

/** Changes with whom a project is shared: first what is taken from people, then what is given. */
function useAudience(project: string, shared: SharedProject | null, onDone: () => void) {
  const queries = useQueryClient();
  const share = useCommand("share_project");
  const unshare = useCommand("unshare_project");

  async function change({ users, everybody }: Wanted): Promise<void> {
    const having = new Set(shared?.users.map(({ id }) => id));
    const removed = [...having].filter((id) => !users.includes(id));
    const isClosed = shared?.everybody === true && !everybody;
    if (shared !== null && users.length === 0 && !everybody) await unshare.mutateAsync({ project });
    else if (removed.length > 0 || isClosed) {
      const people = removed.length > 0 && { users: removed };
      await unshare.mutateAsync({ project, ...people, ...(isClosed && { everybody: true }) });
    }
    const added = users.filter((id) => !having.has(id));
    if (added.length > 0 || (everybody && shared?.everybody !== true)) {
      await share.mutateAsync({ project, ...(added.length > 0 && { users: added }), ...(everybody && { everybody }) });
    }
  }

  return {
    isPending: share.isPending || unshare.isPending,
    error: share.error ?? unshare.error,
    run(wanted: Wanted) {
      change(wanted)
        .then(onDone, () => undefined)
        .finally(() => queries.invalidateQueries({ queryKey: commandKey("list_shared_projects") }));
    },
  };
}

function areSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}
