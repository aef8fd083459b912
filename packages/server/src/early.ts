/// <reference types="node" preserve="true" />
/** What a program may do before it loads anything else. */
export { keepSpareWorker, newWorker, startSpareWorker } from "@sm/core/threads";
export { cacheDirectory, currentPlatform, dataDirectory } from "./directories.ts";
export {
  environmentName,
  type Flags,
  LOG_LEVELS,
  readSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from "./settings.ts";
