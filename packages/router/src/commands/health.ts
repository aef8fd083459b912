import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";

const command = commandUsing<never>();

export const healthCommands = {
  ping: command({
    summary: "Confirms that the service responds.",
    access: "read",
    input: v.strictObject({}),
    output: v.strictObject({ pong: v.literal(true) }),
    run: async () => ({ pong: true as const }),
  }),
};
