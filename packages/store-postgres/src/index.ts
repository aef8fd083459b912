export { PostgresDatabase, type PostgresOptions } from "./database/database.ts";
export { MissingBytes, type SentBytes, type SentFile, SentFiles } from "./files/sent-files.ts";
export { ReceivedBatches, type ReceivedBatchesOptions } from "./receiving/received-batches.ts";
export { TokenDirectory, type UserGrant } from "./state/token-directory.ts";
export { userStateOf } from "./state/user-state.ts";
export { type HubUser, type UserRole, Users } from "./state/users.ts";
