import { useQuery } from "@tanstack/react-query";
import { FolderPlus, FolderSearch, Trash2 } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { commandQuery, useCommand } from "../../client/commands.ts";
import type { Service } from "../../client/service.ts";
import { useService, useSessions } from "../../client/service-context.tsx";
import { Button, IconButton } from "../../design/button.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Field, Input } from "../../design/input.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { toast, toastError } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import { pathProblem } from "../path-problem.ts";
import { PathText, SectionIntro, SettingsGroup } from "../section-parts.tsx";
import { countSessions, type DirectoryCount, isWithin } from "./session-counts.ts";

/** Where sessions are looked for, and what is found there. */
export function DirectoriesSection() {
  const service = useService();
  const own = useQuery(commandQuery(service, "get_session_paths"));
  const all = useQuery(commandQuery(service, "get_all_session_dirs"));
  const homes = useQuery(commandQuery(service, "get_agent_homes"));
  const { records, state, isPart } = useSessions();
  const counts = useMemo(() => countSessions(all.data ?? [], records.keys()), [all.data, records]);
  const error = own.error ?? all.error;
  if (error !== null) {
    const retry = () => void Promise.all([own.refetch(), all.refetch()]);
    return <ErrorState title={t("settings.directories_failed")} error={error} onRetry={retry} />;
  }
  if (own.data === undefined || all.data === undefined) return <SkeletonLines count={5} />;
  const added = own.data;
  const usual = counts.filter(({ directory }) => !added.includes(directory));
  const looked = homes.data?.flatMap(({ enabled, directories }) => (enabled ? directories : [])) ?? [];
  // Where not all sessions are here, how many there are in a directory is not known.
  const text = ({ directory, sessions }: DirectoryCount) => {
    const others = looked.find(({ path }) => path === directory)?.skipped_files ?? 0;
    const found = isPart ? [] : [state === "loading" ? t("frame.loading") : t("list.count", { count: sessions })];
    return [...found, ...(others === 0 ? [] : [t("settings.no_sessions", { count: others })])].join(" · ");
  };
  return (
    <>
      <SectionIntro>{t("settings.directories_text")}</SectionIntro>
      <SettingsGroup title={t("settings.directories_usual")}>
        <Lines label={t("settings.directories_usual")}>
          {usual.map((count) => (
            <Line key={count.directory}>
              <FolderSearch aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-faint" />
              <span className="min-w-0 flex-1">
                <PathText>{count.directory}</PathText>
              </span>
              <span className="shrink-0 text-muted text-sm tabular-nums">{text(count)}</span>
            </Line>
          ))}
          {usual.length === 0 && <Line className="text-muted text-sm">{t("settings.directories_none")}</Line>}
        </Lines>
      </SettingsGroup>
      <SettingsGroup title={t("settings.directories_own")}>
        <OwnDirectories
          paths={added}
          noteOf={(path) => {
            const found = counts.find(({ directory }) => directory === path);
            if (found !== undefined) return { text: text(found), isProblem: false };
            const others = all.data.filter((directory) => directory !== path);
            return isWithin(path, others)
              ? { text: t("settings.directory_within"), isProblem: false }
              : { text: t("settings.directory_missing"), isProblem: true };
          }}
        />
      </SettingsGroup>
    </>
  );
}

interface OwnDirectoriesProps {
  paths: readonly string[];
  noteOf(path: string): { text: string; isProblem: boolean };
}

function OwnDirectories({ paths, noteOf }: OwnDirectoriesProps) {
  const service = useService();
  const [typed, setTyped] = useState("");
  const save = useCommand("save_session_paths");

  function add(event: FormEvent): void {
    event.preventDefault();
    const path = typed.trim();
    if (path === "") return;
    save.mutate({ paths: [...paths.filter((one) => one !== path), path] }, { onSuccess: () => setTyped("") });
  }

  function remove(path: string): void {
    save.mutate(
      { paths: paths.filter((one) => one !== path) },
      {
        onSuccess() {
          toast({
            text: t("settings.directory_removed"),
            action: { text: t("frame.undo"), run: () => void putBack(service, path, paths.indexOf(path)) },
          });
        },
        onError: (error) => toastError(t("settings.directories_not_saved"), error),
      },
    );
  }

  return (
    <div className="flex flex-col gap-4">
      {paths.length > 0 && (
        <Lines label={t("settings.directories_own")}>
          {paths.map((path) => {
            const note = noteOf(path);
            return (
              <Line key={path}>
                <FolderSearch aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-faint" />
                <span className="min-w-0 flex-1">
                  <PathText>{path}</PathText>
                </span>
                <span
                  className={`max-w-50 text-right text-sm tabular-nums ${note.isProblem ? "text-danger" : "text-muted"}`}
                >
                  {note.text}
                </span>
                <IconButton
                  icon={Trash2}
                  label={t("settings.directory_remove", { path })}
                  size="sm"
                  disabled={save.isPending}
                  onClick={() => remove(path)}
                />
              </Line>
            );
          })}
        </Lines>
      )}
      <form onSubmit={add} className="flex items-start gap-2 phone:flex-col phone:items-stretch">
        <div className="flex-1">
          <Field
            label={t("settings.directory_add")}
            hint={t("settings.directory_hint")}
            error={save.error === null || typed === "" ? null : pathProblem(save.error)}
          >
            {(attributes) => (
              <Input
                {...attributes}
                value={typed}
                placeholder="/home/me/more-sessions"
                onChange={(event) => {
                  save.reset();
                  setTyped(event.target.value);
                }}
              />
            )}
          </Field>
        </div>
        <Button
          type="submit"
          variant="primary"
          icon={FolderPlus}
          className="desk:mt-6"
          disabled={save.isPending || typed.trim() === ""}
        >
          {t("settings.add")}
        </Button>
      </form>
    </div>
  );
}

/** Adds a directory that was removed to those that there are by now. What fails is told. */
async function putBack(service: Service, path: string, place: number): Promise<void> {
  try {
    const others = (await service.call("get_session_paths", {})).filter((one) => one !== path);
    await service.call("save_session_paths", { paths: others.toSpliced(place, 0, path) });
  } catch (error) {
    toastError(t("settings.directories_not_saved"), error);
  }
}
