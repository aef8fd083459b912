import type { CommandOutput } from "@sm/router/client";

export type ChangedFile = CommandOutput<"read_session_changes">["files"][number];

const NO_FILE = "/dev/null";

/**
 * The diffs of files as one patch, as `git apply` and `patch -p1` read it in the directory of the session.
 *
 * @param cwd that directory; files outside of it have their whole paths.
 */
export function patchText(files: readonly ChangedFile[], cwd: string | null): string {
  const relative = (path: string) =>
    (cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length) : path).replace(/^\/+/, "");
  return files
    .filter(({ diff }) => diff !== null && diff !== "")
    .map(({ path, moved_from, action, diff }) => {
      const isNew = action === "written" && diff?.startsWith("@@ -0,0 ") === true;
      const before = isNew ? NO_FILE : `a/${relative(moved_from ?? path)}`;
      const after = action === "deleted" ? NO_FILE : `b/${relative(path)}`;
      return `--- ${before}\n+++ ${after}\n${diff}`;
    })
    .join("");
}
