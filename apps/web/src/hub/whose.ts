import type { QueryClient } from "@tanstack/react-query";
import { commandQuery } from "../client/commands.ts";
import { useIsHub, useSharedProjects } from "../client/hub.ts";
import type { Service } from "../client/service.ts";
import { t } from "../i18n/text.ts";

/** Whose sessions are meant, as the address says it; everybody's where it says nothing. Nobody else has any at home. */
export interface Whose {
  /** One's own sessions only, whatever `owner` says. */
  mine?: true;
  /** The name of a user who shares sessions. */
  owner?: string;
}

/** The names of those who share sessions with the user, in order. */
export function useSharers(): readonly string[] {
  return [...new Set(useSharedProjects().flatMap(({ owner }) => owner ?? []))].sort();
}

/** Whose sessions a command is asked for. */
export function useWhose({ mine, owner }: Whose): Whose {
  const isHub = useIsHub();
  if (mine === true) return isHub ? { mine } : {};
  return owner === undefined ? {} : { owner };
}

/** The field of commands that says whose sessions are meant. One's own name is asked for if nobody has done so yet. */
export async function ownerField(
  { mine, owner }: Whose,
  { service, queries }: { service: Service; queries: QueryClient },
): Promise<{ owner?: string }> {
  if (mine !== true) return owner === undefined ? {} : { owner };
  const users = await queries.ensureQueryData(commandQuery(service, "list_hub_users"));
  const me = users.find(({ is_me }) => is_me);
  return me === undefined ? {} : { owner: me.name };
}

export interface WhoseChoices {
  /** The option that is chosen. */
  value: string;
  options: { value: string; text: string }[];
  /** What an option makes of the address. */
  changeTo(value: string): { mine: true | undefined; owner: string | undefined };
}

const EVERYBODY = "everybody";
const MINE = "mine";
/** Before a name, which may be any. */
const OF = "of ";

/**
 * The choices of whose sessions are meant; `null` where all are the user's, unless the address names somebody.
 *
 * @param everybody the text of the choice of all.
 */
export function useWhoseChoices({ mine, owner }: Whose, everybody: string): WhoseChoices | null {
  const isHub = useIsHub();
  const sharers = useSharers();
  if (!isHub || (sharers.length === 0 && mine === undefined && owner === undefined)) return null;
  // A link may name somebody who shares nothing now.
  const names = owner === undefined || sharers.includes(owner) ? sharers : [owner, ...sharers];
  return {
    value: mine === true ? MINE : owner === undefined ? EVERYBODY : `${OF}${owner}`,
    options: [
      { value: EVERYBODY, text: everybody },
      { value: MINE, text: t("list.only_mine") },
      ...names.map((name) => ({ value: `${OF}${name}`, text: name })),
    ],
    changeTo: (value) => ({
      mine: value === MINE ? true : undefined,
      owner: value.startsWith(OF) ? value.slice(OF.length) : undefined,
    }),
  };
}
