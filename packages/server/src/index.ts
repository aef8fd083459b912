/// <reference types="node" preserve="true" />
export type { Log } from "./log.ts";
export {
  environmentName,
  type Flags,
  readSettings,
  readSwitch,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from "./settings.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start.ts";
export { StartError } from "./start-error.ts";
