import * as v from "valibot";
import { command } from "../command.ts";

export const healthCommands = {
  ping: command({
    summary: "Tells that the service answers.",
    access: "read",
    input: v.strictObject({}),
    output: v.strictObject({ pong: v.literal(true) }),
    run: async () => ({ pong: true as const }),
  }),
};
