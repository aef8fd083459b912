export { type UserAccounts, withUserAccounts } from "@sm/store-postgres";
export { type HubOptions, type RunningHub, startHub } from "./start-hub.ts";
