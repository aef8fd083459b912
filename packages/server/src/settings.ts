import { StartError } from "./start-error.ts";

/** Settings given by a flag `--<name>` or an environment variable `SESSION_MANAGER_<NAME>`. */
export const SETTING_NAMES = ["port", "bind", "config-dir", "data-dir", "agent-home", "open", "log-level"] as const;

/** Values of the setting `log-level`, most verbose first. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export type SettingName = (typeof SETTING_NAMES)[number];

/** Flags as typed. */
export type Flags = Partial<Record<SettingName, string>>;

export interface Setting {
  value: string;
  /** The flag or variable, for messages. */
  source: string;
}

export type Settings = Partial<Record<SettingName, Setting>>;

export function environmentName(name: SettingName): string {
  return `SESSION_MANAGER_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Combines flags and environment: flags take precedence, and empty variables are ignored. */
export function readSettings(flags: Flags, env: NodeJS.ProcessEnv): Settings {
  const settings: Settings = {};
  for (const name of SETTING_NAMES) {
    const flag = flags[name];
    const variable = env[environmentName(name)];
    if (flag !== undefined) settings[name] = { value: flag, source: `--${name}` };
    else if (variable) settings[name] = { value: variable, source: environmentName(name) };
  }
  return settings;
}

const SWITCH: Record<string, boolean> = { true: true, "1": true, yes: true, false: false, "0": false, no: false };

/**
 * Parses an on/off setting; off if absent.
 *
 * @throws {StartError} for any other value.
 */
export function readSwitch(setting: Setting | undefined): boolean {
  if (setting === undefined) return false;
  const value = SWITCH[setting.value.toLowerCase()];
  if (value === undefined) throw new StartError(`${setting.source} must be true or false, not "${setting.value}".`);
  return value;
}
