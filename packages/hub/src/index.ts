export { type UserAccounts, withUserAccounts } from "@sm/store-postgres";
export { chunkStoreOf, type HubKeeping, hubRetention, withHubKeeping } from "./hub-keeping.ts";
export { type HubOptions, type RunningHub, startHub } from "./start-hub.ts";
