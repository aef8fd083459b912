export { type HubOptions, type RunningHub, startHub } from "./start-hub.ts";
