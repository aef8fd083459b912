/// <reference types="node" preserve="true" />
// For other compositions of a service, such as a hub: what is the same in all of them.

export { reachableUrls } from "./addresses.ts";
export { closeAll, closeAllTogether } from "./close-all.ts";
export { type Config, loadConfig } from "./config.ts";
export { configuredGate } from "./configured-gate.ts";
export { describeService } from "./describe-service.ts";
export { configDirectory, currentPlatform, dataDirectory } from "./directories.ts";
export { HubConnection } from "./hub/hub-connection.ts";
export { type HubDelivery, HubSender } from "./hub/hub-sender.ts";
export { publishLibraryEvent } from "./library-events.ts";
export { createLog, type Log } from "./log.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export type { OidcSettings } from "./oidc-settings.ts";
export { affordableConnections } from "./open-files.ts";
