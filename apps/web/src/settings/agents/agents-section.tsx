import { OTHER_AGENTS } from "@sm/core";
import type { CommandInput, CommandOutput } from "@sm/router/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileQuestionMark, FolderCheck, FolderPlus, FolderX, Trash2 } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { commandKey, commandQuery, useCommand } from "../../client/commands.ts";
import { useService, useSessions } from "../../client/service-context.tsx";
import { Button, IconButton } from "../../design/button.tsx";
import { Switch } from "../../design/choices.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Field, Input } from "../../design/input.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { toastError } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import { pathProblem } from "../path-problem.ts";
import { PathText, SectionIntro } from "../section-parts.tsx";

type AgentHome = CommandOutput<"get_agent_homes">[number];

/** The agents whose sessions are read, with where these are looked for. */
export function AgentsSection() {
  const { data, error, refetch } = useQuery(commandQuery(useService(), "get_agent_homes"));
  const { records } = useSessions();
  // What is found in a home is counted as it is read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks anew for another number
  useEffect(() => void refetch(), [records.size, refetch]);
  if (error !== null && data === undefined) {
    return <ErrorState title={t("settings.agents_failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonLines count={6} />;
  return (
    <>
      <SectionIntro>{t("settings.agents_text")}</SectionIntro>
      {data.map((home) => (
        <Agent key={home.agent} home={home} />
      ))}
      <UnknownFiles homes={data} />
    </>
  );
}

/** In which directories are files that nothing is read of; nothing where there is none. */
function UnknownFiles({ homes }: { homes: readonly AgentHome[] }) {
  const all = homes.filter(({ enabled }) => enabled).flatMap(({ directories }) => directories);
  const skipping = all.filter(({ skipped_files }) => skipped_files > 0);
  if (skipping.length === 0) return null;
  return (
    <section aria-label={t("settings.unknown")} className="flex gap-2 pb-8 text-muted text-sm">
      <FileQuestionMark aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-col gap-2">
        <p>{t("settings.unknown_text")}</p>
        <ul className="flex flex-col gap-1">
          {skipping.map(({ path, skipped_files }) => (
            <li key={path} className="flex gap-2">
              <span className="min-w-0 flex-1">
                <PathText>{path}</PathText>
              </span>
              <span className="shrink-0">{t("settings.unknown_files", { count: skipped_files })}</span>
            </li>
          ))}
        </ul>
        <a href={ADD_A_FORMAT} target="_blank" rel="noopener noreferrer" className="link">
          {t("settings.unknown_add")}
        </a>
      </div>
    </section>
  );
}

const ADD_A_FORMAT = "https://github.com/session-manager/session-manager/blob/main/docs/formats.md#add-a-format";

function Agent({ home }: { home: AgentHome }) {
  const { agent, name, enabled, homes, directories, read_only, sessions } = home;
  const { save, isPending } = useSave(home);
  const isSwitched = isOther(agent);
  const facts = [
    enabled ? t("list.count", { count: sessions }) : t("settings.agent_off"),
    ...(read_only ? [t("settings.agent_read_only")] : []),
  ].join(" · ");
  return (
    <section aria-label={name} className="flex flex-col gap-3 pb-8">
      {isSwitched ? (
        <Switch
          label={name}
          hint={facts}
          checked={enabled}
          disabled={isPending}
          onCheckedChange={(checked) =>
            save({ enabled: checked, homes }, (error) => toastError(t("settings.agents_not_saved"), error))
          }
        />
      ) : (
        <div>
          <h2 className="font-normal text-sm">{name}</h2>
          <p className="text-faint text-xs">{facts}</p>
        </div>
      )}
      <Lines label={t("settings.agent_places", { name })}>
        {directories.map(({ path, exists }) => {
          const Icon = exists ? FolderCheck : FolderX;
          return (
            <Line key={path}>
              <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-faint" />
              <span className="min-w-0 flex-1">
                <PathText>{path}</PathText>
              </span>
              <span className="shrink-0 text-muted text-sm">
                {t(exists ? "settings.agent_found" : "settings.agent_not_found")}
              </span>
            </Line>
          );
        })}
        {directories.length === 0 && <Line className="text-muted text-sm">{t("settings.agent_no_places")}</Line>}
      </Lines>
      {isSwitched && enabled && <OwnHomes home={home} />}
    </section>
  );
}

/** Homes that are read instead of the usual ones. */
function OwnHomes({ home }: { home: AgentHome }) {
  const { name, enabled, homes } = home;
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const { save, isPending } = useSave(home);

  function add(event: FormEvent): void {
    event.preventDefault();
    const path = typed.trim();
    if (path === "") return;
    save(
      { enabled, homes: [...homes.filter((one) => one !== path), path] },
      (error) => setProblem(pathProblem(error)),
      () => setTyped(""),
    );
  }

  return (
    <>
      {homes.length > 0 && (
        <Lines label={t("settings.agent_homes", { name })}>
          {homes.map((path) => (
            <Line key={path}>
              <span className="min-w-0 flex-1">
                <PathText>{path}</PathText>
              </span>
              <IconButton
                icon={Trash2}
                label={t("settings.directory_remove", { path })}
                size="sm"
                disabled={isPending}
                onClick={() =>
                  save({ enabled, homes: homes.filter((one) => one !== path) }, (error) =>
                    toastError(t("settings.agents_not_saved"), error),
                  )
                }
              />
            </Line>
          ))}
        </Lines>
      )}
      <form onSubmit={add} className="flex items-start gap-2 phone:flex-col phone:items-stretch">
        <div className="flex-1">
          <Field label={t("settings.agent_add_home", { name })} hint={t("settings.agent_home_hint")} error={problem}>
            {(attributes) => (
              <Input
                {...attributes}
                value={typed}
                onChange={(event) => {
                  setProblem(null);
                  setTyped(event.target.value);
                }}
              />
            )}
          </Field>
        </div>
        <Button type="submit" icon={FolderPlus} className="desk:mt-6" disabled={isPending || typed.trim() === ""}>
          {t("settings.add")}
        </Button>
      </form>
    </>
  );
}

type OtherAgentName = keyof CommandInput<"save_agent_homes">["agents"];

function isOther(agent: string): agent is OtherAgentName {
  return OTHER_AGENTS.some((other) => other.agent === agent);
}

/** Saves the switch of an agent; the others stay as they are. */
function useSave({ agent }: AgentHome) {
  const queries = useQueryClient();
  const { mutate, isPending } = useCommand("save_agent_homes", {
    onSuccess: (homes) => queries.setQueryData(commandKey("get_agent_homes", {}), homes),
  });
  return {
    isPending,
    save(chosen: { enabled: boolean; homes: string[] }, onError: (error: Error) => void, onSuccess?: () => void) {
      if (!isOther(agent)) return;
      mutate({ agents: { [agent]: chosen } }, { onError, ...(onSuccess !== undefined && { onSuccess }) });
    },
  };
}
