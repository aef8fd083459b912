import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Check, ChevronDown } from "lucide-react";
import { useState } from "react";
import { type LiveSession, useLiveSessionUpdate } from "../agents/use-live-sessions.ts";
import { commandQuery, useCommand } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { Select } from "../design/choices.tsx";
import { errorText } from "../design/error-state.tsx";
import { SkeletonLines } from "../design/placeholder.tsx";
import { Popover } from "../design/popover.tsx";
import { toastError } from "../design/toast.tsx";
import { type PlainTextKey, t } from "../i18n/text.ts";

/** Names of levels that releases of the agent have had; another is shown as the agent calls it. */
const LEVELS = {
  off: "live.thinking_off",
  minimal: "live.thinking_minimal",
  low: "live.thinking_low",
  medium: "live.thinking_medium",
  high: "live.thinking_high",
  xhigh: "live.thinking_xhigh",
  max: "live.thinking_max",
} as const satisfies Record<string, PlainTextKey>;

/** Maximum models shown at once; all providers together have hundreds. */
const MAX_SHOWN = 50;

/** Shows a session's model and thinking level, and changes them. */
export function ModelPicker({ session }: { session: LiveSession }) {
  const [isOpen, setOpen] = useState(false);
  const update = useLiveSessionUpdate();
  const { mutate } = useCommand("set_coding_session_model", {
    onSuccess: update,
    onError: (error) => toastError(t("live.model_failed"), error),
  });
  const { session_id, model, thinking_level } = session;
  const level = thinking_level === null || thinking_level === "off" ? null : levelName(thinking_level);
  const modelName = model === null ? t("live.no_model") : model.replace(/^[^/]*\//, "");
  return (
    <Popover
      label={t("live.model")}
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      trigger={
        <button
          type="button"
          title={model ?? undefined}
          className="flex h-8 min-w-0 max-w-72 shrink items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-hover hover:text-ink data-[state=open]:bg-press phone:max-w-28 touch:min-h-11"
        >
          <span className="sr-only">{t("live.model")}: </span>
          <span className="min-w-0 truncate">{modelName}</span>
          {level !== null && <span className="shrink-0 text-faint text-xs phone:hidden">{level}</span>}
          <ChevronDown aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
        </button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <span className="text-muted text-sm">{t("live.thinking_level")}</span>
          <LevelSelect session={session} onChoose={(level) => mutate({ session_id, thinking_level: level })} />
        </div>
        <ModelList
          session={session}
          onChoose={(chosen) => {
            setOpen(false);
            if (chosen !== model) mutate({ session_id, model: chosen });
          }}
        />
      </div>
    </Popover>
  );
}

/** Offers the levels that the agent lists for the present model. */
function LevelSelect({ session, onChoose }: { session: LiveSession; onChoose(level: string): void }) {
  const { session_id, thinking_level, model } = session;
  const service = useService();
  const { data: levels = [] } = useQuery({
    // Another model has other levels.
    queryKey: ["get_coding_session_thinking_levels", session_id, model],
    queryFn: ({ signal }) => service.call("get_coding_session_thinking_levels", { session_id }, { signal }),
    retry: false,
    refetchOnMount: "always",
  });
  return (
    <Select
      aria-label={t("live.thinking_level")}
      value={thinking_level ?? "off"}
      onChange={onChoose}
      options={levelOptions(levels, thinking_level)}
    />
  );
}

function ModelList({ session, onChoose }: { session: LiveSession; onChoose(model: string): void }) {
  const [wanted, setWanted] = useState("");
  const service = useService();
  const query = commandQuery(service, "get_coding_session_models", { session_id: session.session_id });
  const { data: models, error } = useQuery({ ...query, retry: false, refetchOnMount: "always" });
  if (error !== null) return <p className="text-muted text-sm">{errorText(error)}</p>;
  if (models === undefined) return <SkeletonLines count={4} />;
  const words = wanted.toLowerCase().split(/\s+/);
  const fitting = models.filter(({ model, name }) => {
    const text = `${model} ${name ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Command shouldFilter={false} label={t("live.model")}>
      <Command.Input
        value={wanted}
        onValueChange={setWanted}
        placeholder={t("live.find_model")}
        className="h-8 w-full rounded-md bg-field px-2.5 text-sm ring-1 ring-line ring-inset touch:h-11 touch:text-lg"
      />
      <Command.List label={t("live.models")} className="mt-2 max-h-72 overflow-y-auto">
        {fitting.length === 0 && (
          <Command.Empty className="p-2 text-muted text-sm">
            {t(models.length === 0 ? "live.no_models" : "live.no_such_model")}
          </Command.Empty>
        )}
        {fitting.slice(0, MAX_SHOWN).map(({ model, name }) => (
          <Command.Item
            key={model}
            value={model}
            onSelect={() => onChoose(model)}
            className="flex min-h-8 select-none items-center gap-2 rounded-md px-2 py-1 text-sm data-[selected=true]:bg-press touch:min-h-11"
          >
            <Check aria-hidden size={15} className={model === session.model ? "shrink-0" : "invisible shrink-0"} />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{name ?? model}</span>
              <span className="block truncate text-muted text-xs">{model}</span>
            </span>
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

function levelName(level: string): string {
  return Object.hasOwn(LEVELS, level) ? t(LEVELS[level as keyof typeof LEVELS]) : level;
}

function levelOptions(levels: readonly string[], present: string | null): { value: string; text: string }[] {
  const offered = new Set([...levels, present || "off"]);
  return [...offered].map((value) => ({ value, text: levelName(value) }));
}
