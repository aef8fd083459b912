// Writes what each day has cost: node statistics-csv.mjs http://127.0.0.1:52131 > days.csv
import { argv, env } from "node:process";
import { createClient } from "@sm/router/client";

const client = createClient({ url: argv[2], token: env.SESSION_MANAGER_TOKEN ?? null });
const { by_day } = await client.call("get_session_stats", { time_zone: "UTC" });
console.log("date,sessions,messages,tokens,cost_usd");
for (const { date, sessions, messages, usage } of by_day) {
  // A day whose models have no recorded cost has none, which is not the same as 0.
  console.log([date, sessions, messages, usage.total_tokens, usage.cost_usd ?? ""].join(","));
}
client.close();
