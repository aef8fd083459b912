import type { AppError } from "@sm/core";
import type { Caller } from "../caller.ts";
import { createDispatcher } from "../dispatcher.ts";
import { RunningCommand } from "../running-command.ts";
import type { Services } from "../services.ts";

export type Call = [method: string, ...values: unknown[]];

/** Runs a command on services that write down what they are asked for, and answer as `answer` says. */
export async function run(
  name: string,
  payload: unknown,
  answer: (...call: Call) => unknown = () => null,
  refusals: Partial<Record<"checkAvailable" | "checkEnabled", AppError>> = {},
) {
  const calls: Call[] = [];
  /** Commands that have told the service who asks. */
  const requesters: string[] = [];
  const recorder = new Proxy({} as Services[keyof Services], {
    get:
      (_target, method: string) =>
      async (...values: unknown[]) => {
        if (method !== "checkAvailable" && method !== "checkEnabled") {
          const isRequester = values.at(-1) instanceof RunningCommand;
          calls.push([method, ...(isRequester ? values.slice(0, -1) : values)]);
          if (isRequester) requesters.push(name);
          return answer(method, ...values);
        }
        const refusal = refusals[method];
        if (refusal !== undefined) throw refusal;
        return undefined;
      },
  });
  // Whatever a command asks for.
  const services = new Proxy({} as Services, { get: () => recorder });
  const logged: object[] = [];
  const listened: (readonly string[])[] = [];
  const dispatcher = createDispatcher(services, { log: { error: (fields) => logged.push(fields) } });
  const caller: Caller = { local: true, scope: "full", tokenId: null, listen: (topics) => void listened.push(topics) };
  const response = await dispatcher.dispatch({ command: name, payload }, caller);
  return { requesters, calls, listened, logged, response };
}
