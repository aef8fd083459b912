import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";

const command = commandUsing<never>();

export const healthCommands = {
  ping: command({
    summary: "Tells that the service answers.",
    access: "read",
    input: v.strictObject({}),
    output: v.strictObject({ pong: v.literal(true) }),
    run: async () => ({ pong: true as const }),
  }),
};
