import type { SessionRecord } from "@sm/router/client";
import { useNavigate } from "@tanstack/react-router";
import { useMayChange } from "../client/hub.ts";
import { requestExport } from "../export/export-request.ts";
import { areArchived, areOwn, type SessionActions } from "../sessions/session-actions.ts";
import { useActions } from "../shortcuts/actions.ts";
import { clearSelection, type Selection, selectAll } from "./selection.ts";

export interface ListActionsOptions {
  paths: readonly string[];
  openPath: string | null;
  selection: Selection;
  setSelection(change: (selection: Selection) => Selection): void;
  recordsOf(paths: Iterable<string>): readonly SessionRecord[];
  actions: SessionActions;
  setRenaming(path: string | null): void;
  setTagging(paths: readonly string[]): void;
  remove(paths: readonly string[]): void;
}

/** What can be done with the sessions that are chosen, else with the one that is open, else with the one at the keyboard. */
export function useListActions(options: ListActionsOptions): void {
  const { paths, openPath, selection, setSelection, recordsOf, actions } = options;
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const [one] = [openPath ?? selection.active].filter((path) => path !== null);
  const targets = selection.selected.size > 0 ? [...selection.selected] : one === undefined ? [] : [one];
  const records = recordsOf(targets);
  const [first] = records;

  function openBy(by: number) {
    const index = openPath === null ? -1 : paths.indexOf(openPath);
    const path = paths[Math.max(0, index + by)];
    if (path === undefined) return;
    const search = (now: object) => ({ ...now, path, entry: undefined, leaf: undefined }) as never;
    void navigate({ to: "/session", search });
  }

  const forTargets = {
    group: "session",
  } as const;
  useActions([
    { id: "list.next", title: "list.next", group: "list", keys: "shift+j", run: () => openBy(1) },
    { id: "list.previous", title: "list.previous", group: "list", keys: "shift+k", run: () => openBy(-1) },
    {
      id: "list.filter",
      title: "list.focus_filter",
      group: "list",
      keys: "f",
      run: () => document.getElementById("list-filter")?.focus(),
    },
    {
      id: "list.select_all",
      title: "list.select_all",
      group: "list",
      run: () => setSelection((now) => selectAll(now, paths)),
    },
    ...(selection.selected.size === 0
      ? []
      : ([
          {
            id: "list.clear_selection",
            title: "list.clear_selection",
            group: "list",
            keys: "escape",
            run: () => setSelection(clearSelection),
          },
        ] as const)),
    ...(first === undefined || !mayChange
      ? []
      : ([
          {
            ...forTargets,
            id: "session.favorite",
            title: "list.favorite",
            keys: "s",
            run: () => actions.setFavorite(records, !records.every(({ is_favorite }) => is_favorite)),
          },
          { ...forTargets, id: "session.tag", title: "list.new_tag", run: () => options.setTagging(targets) },
        ] as const)),
    ...(first === undefined || !mayChange || !areOwn(records)
      ? []
      : ([
          {
            ...forTargets,
            id: "session.archive",
            title: areArchived(records) ? "list.unarchive" : "list.archive",
            keys: "e",
            run: () => actions.setArchived(records, !areArchived(records)),
          },
        ] as const)),
    ...(first === undefined
      ? []
      : ([
          { ...forTargets, id: "session.path", title: "list.copy_path", run: () => actions.copyPath(first) },
        ] as const)),
    ...(first === undefined || !mayChange || !records.some(({ capabilities }) => capabilities.delete)
      ? []
      : ([
          { ...forTargets, id: "session.delete", title: "list.delete", keys: "#", run: () => options.remove(targets) },
        ] as const)),
    ...(first?.capabilities.rename === true && mayChange
      ? ([
          {
            ...forTargets,
            id: "session.rename",
            title: "list.rename",
            keys: "f2",
            run: () => options.setRenaming(first.path),
          },
        ] as const)
      : []),
    ...(first !== undefined && first.capabilities.resume_command !== null
      ? ([
          {
            ...forTargets,
            id: "session.resume",
            title: "list.copy_resume",
            run: () => actions.copyResumeCommand(first),
          },
        ] as const)
      : []),
    // The session that is open is exported from where it is shown, with its branch.
    ...(first === undefined || (selection.selected.size === 0 && openPath !== null)
      ? []
      : ([
          {
            ...forTargets,
            id: "session.export_as",
            title: "export.choose",
            keys: ["mod+e", "mod+shift+e"],
            inFields: true,
            run: () => requestExport({ paths: targets }),
          },
        ] as const)),
  ]);
}
