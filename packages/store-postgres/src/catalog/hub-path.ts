import { isUuid } from "../state/user-connection.ts";

/** A file where its machine has it. */
export interface MachineFile {
  machineId: string;
  path: string;
}

const HUB_PATH = /^\/machines\/([^/]+)\/(.+)$/s;
/** A drive, or a share. */
const OF_WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** Finds the machine's file that a path of the hub names; `null` if it names none. */
export function machineFile(path: string): MachineFile | null {
  const [, machineId = "", rest = ""] = HUB_PATH.exec(path) ?? [];
  if (!isUuid(machineId)) return null;
  // What formats put behind a path is separated by slashes.
  return { machineId, path: OF_WINDOWS.test(rest) ? rest.replaceAll("/", "\\") : `/${rest}` };
}

/** The folder of a file of any machine. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/"), path.lastIndexOf("\\")));
}
