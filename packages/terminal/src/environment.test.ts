import { expect, it } from "vitest";
import { loginEnvironment } from "./environment.ts";

const login = {
  user: "ada",
  home: "/home/ada",
  shell: "/bin/zsh",
  cwd: "/srv",
  serviceUrl: "http://127.0.0.1:52131",
  dataDir: "/home/ada/data",
};
const own = {
  HOME: "/home/ada",
  USER: "ada",
  LOGNAME: "ada",
  SHELL: "/bin/zsh",
  PWD: "/srv",
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  LANG: "C.UTF-8",
  PI_PROGRAM_STATUS: "1",
  SESSION_MANAGER_URL: "http://127.0.0.1:52131",
  SESSION_MANAGER_DATA_DIR: "/home/ada/data",
};

it("sets what a login sets", () => {
  expect(loginEnvironment({}, login)).toEqual(own);
  expect(loginEnvironment({ HOME: "/root", PWD: "/", SHELL: "/bin/sh", TERM: "dumb", USER: "root" }, login)).toEqual(
    own,
  );
});

it("keeps what is the user's", () => {
  const env = {
    PATH: "/bin",
    LANG: "de_DE.UTF-8",
    PI_PROGRAM_STATUS: "0",
    SSH_AUTH_SOCK: "/run/agent",
    PI_CODING_AGENT_DIR: "/pi",
    EMPTY: "",
  };
  expect(loginEnvironment(env, login)).toEqual({ ...own, ...env });
});

it.each([
  ["SESSION_MANAGER_TOKEN", "secret"],
  ["SESSION_MANAGER_DATA_DIR", "/data"],
  ["SESSION_MANAGER_URL", "http://192.168.1.5:52131"],
  ["npm_config_registry", "http://127.0.0.1"],
  ["npm_package_name", "session-manager"],
  ["PNPM_SCRIPT_SRC_DIR", "/app"],
  ["NODE_OPTIONS", "--inspect"],
  ["INIT_CWD", "/app"],
  ["MALLOC_TRIM_THRESHOLD_", "131072"],
  ["NOTIFY_SOCKET", "/run/systemd/notify"],
  ["TMUX", "/tmp/tmux-0/default,1,0"],
  ["COLUMNS", "80"],
  ["MY_TOKEN", `sm_${"a".repeat(43)}`],
  ["HEADER", `Authorization: Bearer sm_${"_-9".repeat(14)}x`],
  ["MISSING", undefined],
])("leaves %s out", (name, value) => {
  expect(loginEnvironment({ [name]: value }, login)).toEqual(own);
});
