import type { CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { usePreference } from "../browser/preference.ts";
import { commandQuery } from "./commands.ts";
import { useService } from "./service-context.tsx";
import { serviceKind } from "./service-kind.ts";

export type HubUser = CommandOutput<"list_hub_users">[number];
export type SharedProject = CommandOutput<"list_shared_projects">[number];

/** Whether the sessions are those that machines have sent to a hub. */
export function useIsHub(): boolean {
  return usePreference(serviceKind) === "hub";
}

const NOBODY: readonly HubUser[] = [];

/** Everybody who uses the hub; nobody at home. */
function useHubUsers(): readonly HubUser[] {
  const isHub = useIsHub();
  return useQuery({ ...commandQuery(useService(), "list_hub_users"), enabled: isHub }).data ?? NOBODY;
}

/** Who uses the page; `null` at home, and until it is known. */
export function useMe(): HubUser | null {
  return useHubUsers().find(({ is_me }) => is_me) ?? null;
}

/** Whether the user may change anything: on a hub readers may not. */
export function useMayChange(): boolean {
  return useMe()?.role !== "reader";
}

const NOTHING: readonly SharedProject[] = [];

/** The projects that the user shares, and those that others share with the user; none at home. */
export function useSharedProjects(): readonly SharedProject[] {
  const isHub = useIsHub();
  return useQuery({ ...commandQuery(useService(), "list_shared_projects"), enabled: isHub }).data ?? NOTHING;
}
