import type { CommandInput, CommandName, CommandOutput } from "@sm/router/client";
import { queryOptions, type UseMutationOptions, useMutation } from "@tanstack/react-query";
import type { Service } from "./service.ts";
import { useService } from "./service-context.tsx";

/** What a reading command takes after its name: nothing where it takes nothing. */
type Payload<Name extends CommandName> =
  Record<string, never> extends CommandInput<Name> ? [payload?: CommandInput<Name>] : [payload: CommandInput<Name>];

/** The key of a command's answer in the cache; without a payload that of all its answers. */
export function commandKey<Name extends CommandName>(name: Name, ...payload: Partial<Payload<Name>>): unknown[] {
  return payload.length === 0 ? [name] : [name, payload[0]];
}

/**
 * Describes a reading command for `useQuery`, `useSuspenseQuery` and `queryClient`:
 * `useQuery(commandQuery(service, "list_tags"))`. Push events make what has changed stale, so nothing is polled.
 */
export function commandQuery<Name extends CommandName>(service: Service, name: Name, ...[payload]: Payload<Name>) {
  return queryOptions({
    queryKey: [name, payload ?? {}] as const,
    queryFn: ({ signal }): Promise<CommandOutput<Name>> => call(service, name, payload, signal),
  });
}

/**
 * A command that changes something, as a mutation: `const rename = useCommand("rename_session")`, then
 * `rename.mutate({ path, name })`. What it changes comes back as an event.
 */
export function useCommand<Name extends CommandName>(
  name: Name,
  options: Omit<UseMutationOptions<CommandOutput<Name>, Error, CommandInput<Name>>, "mutationFn"> = {},
) {
  const service = useService();
  return useMutation({ ...options, mutationFn: (payload: CommandInput<Name>) => call(service, name, payload) });
}

function call<Name extends CommandName>(
  service: Service,
  name: Name,
  payload: CommandInput<Name> | undefined,
  signal?: AbortSignal,
): Promise<CommandOutput<Name>> {
  // The caller's types already ensure that the payload is optional.
  const run = service.call as (name: Name, payload: unknown, options: { signal?: AbortSignal }) => Promise<unknown>;
  return run(name, payload ?? {}, signal === undefined ? {} : { signal }) as Promise<CommandOutput<Name>>;
}
