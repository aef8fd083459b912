import { Folder } from "lucide-react";
import { useId } from "react";
import { Field, Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";
import { projectName } from "./project-name.ts";
import { useRecentProjects } from "./recent-projects.ts";

/** Projects that are offered at a glance. */
const MAX_OFFERED = 8;

interface FolderFieldProps {
  value: string;
  onChange(folder: string): void;
  error: string | null;
}

/** Asks for a folder: one of those that sessions have worked in, or any other. */
export function FolderField({ value, onChange, error }: FolderFieldProps) {
  const projects = useRecentProjects();
  const listId = useId();
  const wanted = value.trim().toLowerCase();
  const fitting = projects.filter((cwd) => cwd.toLowerCase().includes(wanted));
  const offered = (fitting.length === 0 || projects.includes(value) ? projects : fitting).slice(0, MAX_OFFERED);
  return (
    <div className="flex flex-col gap-2">
      <Field label={t("live.folder")} hint={t("live.folder_hint")} error={error}>
        {(attributes) => (
          <Input
            {...attributes}
            icon={Folder}
            required
            placeholder="/home/me/project"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      {offered.length > 0 && (
        <>
          <p id={listId} className="pt-1 text-muted text-sm">
            {t("live.recent_projects")}
          </p>
          <ul aria-labelledby={listId} className="-mx-2 flex flex-col">
            {offered.map((cwd) => (
              <li key={cwd}>
                <button
                  type="button"
                  aria-pressed={cwd === value}
                  onClick={() => onChange(cwd)}
                  className="flex min-h-8 w-full items-center gap-3 rounded-md px-2 text-left text-sm hover:bg-hover aria-pressed:bg-selected touch:min-h-11"
                >
                  <span className="shrink-0">{projectName(cwd)}</span>
                  <span className="min-w-0 flex-1 truncate text-right text-faint text-xs" dir="rtl">
                    <bdi>{cwd}</bdi>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
