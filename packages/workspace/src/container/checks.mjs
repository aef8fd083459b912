import assert from "node:assert/strict";
import { say } from "../run.mjs";
import { appendMessage, makeAgentHome } from "./home.mjs";
import { ComposedService, until } from "./service.mjs";

/** Neither root nor the user that the image names. */
const UID = 4242;
const HOME = "/media/somebody";

/** Starts what compose.yaml describes, and looks whether it is what docs/container.md says. */
export async function checkService(engine) {
  const home = makeAgentHome(HOME, UID);
  const service = new ComposedService(engine, { HOME, SESSION_MANAGER_UID: `${UID}`, SESSION_MANAGER_GID: `${UID}` });
  const check = async (what, act) => {
    await act();
    say(`ok  ${what}`);
  };
  service.compose("down", "--volumes");
  try {
    const begun = performance.now();
    service.compose("up", "--detach", "--no-build");
    await until("the service answers", async () => (await service.get("/health")).status === 200);
    say(`The first answer came ${seconds(begun)} after "up", networks and volumes included.`);
    await service.untilReady();
    await check("it runs as the user of the home, without capabilities or a way to more", () => checkUser(service));
    await check("only its volumes and /tmp can be written to", () => checkFiles(service));
    await check("without a token only the page and its health are answered", () => checkRefusals(service));
    const token = service.exec("session-cli", "token", "create", "laptop");
    await check("the first token is made inside", () => assert.match(token, /^sm_[\w-]{43}$/));
    await check("sessions are listed, read and found", () => checkReading(service, home, token));
    await check("what the agent writes outside is found", () => checkFollowing(service, home, token));
    await check("changes of the home are refused as READ_ONLY", () => checkReadOnly(service, home, token));
    await check("tags and favorites are kept in the data volume", () => checkMarks(service, home, token));
    await check("its health check tells well from ill", () => checkHealthCheck(engine, service));
    await check("what a terminal has left behind is waited for", () => checkTerminals(service, token));
    await check("it stops in order at SIGTERM", () => checkStop(service, token));
    await check("after a restart tokens are known, and nothing is read anew", () =>
      checkRestart(engine, service, token),
    );
    await check("a configuration is taken from its volume", () => checkConfiguration(service, token));
  } catch (error) {
    const { container } = service;
    if (container !== "") say(engine.podman("logs", container));
    throw error;
  } finally {
    service.compose("down", "--volumes");
  }
}

function checkUser(service) {
  const status = service.exec(
    "sh",
    "-c",
    "for pid in 1 $(cat /proc/1/task/1/children); do cat /proc/$pid/status; done",
  );
  const values = (name) => [...status.matchAll(new RegExp(`^${name}:\\s+(.*)$`, "gm"))].map(([, value]) => value);
  // As Node 24 names its first thread.
  assert.deepEqual(values("Name"), ["init.sh", "MainThread"]);
  assert.deepEqual(values("Uid"), Array(2).fill(Array(4).fill(UID).join("\t")));
  for (const name of ["CapEff", "CapPrm", "CapBnd"]) assert.deepEqual(values(name), Array(2).fill("0".repeat(16)));
  assert.deepEqual(values("NoNewPrivs"), ["1", "1"]);
}

function checkFiles(service) {
  const folders = ["/", "/opt/session-manager", HOME, `${HOME}/.pi/agent/sessions`, "/config", "/data", "/tmp"];
  const canWrite = folders.filter((folder) => {
    return service.exec("sh", "-c", `touch ${folder}/file 2>/dev/null && rm ${folder}/file; echo $?`) === "0";
  });
  assert.deepEqual(canWrite, ["/config", "/data", "/tmp"]);
}

async function checkRefusals(service) {
  for (const path of ["/", "/health"]) assert.equal((await service.get(path)).status, 200, path);
  for (const path of ["/metrics", "/api/events"]) assert.equal((await service.get(path)).status, 401, path);
  const { status, error } = await service.call("list_sessions", {});
  assert.deepEqual([status, error.code], [401, "UNAUTHORIZED"]);
  assert.equal((await service.call("list_sessions", {}, `sm_${"A".repeat(43)}`)).status, 401);
}

async function checkReading(service, home, token) {
  const { data } = await service.call("list_sessions", {}, token);
  const parents = Object.fromEntries(data.sessions.map(({ path, parent_session_path }) => [path, parent_session_path]));
  assert.deepEqual(parents, { [home.original]: null, [home.fork]: home.original });
  const found = await service.call("search", { query: "midnight" }, token);
  assert.deepEqual(
    found.data.hits.map(({ session_path }) => session_path),
    [home.fork],
  );
  const exported = await service.get(`/api/export?path=${encodeURIComponent(home.fork)}&format=html`, token);
  assert.match(exported.text, /And at midnight\?/);
  assert.notEqual(await indexedBytes(service, token), 0);
}

async function checkFollowing(service, home, token) {
  appendMessage(home.fork, "And at dawn?");
  await until("a new message is found", async () => {
    const { data } = await service.call("search", { query: "dawn" }, token);
    return data.hits.length === 1;
  });
}

async function checkReadOnly(service, home, token) {
  const { original: path } = home;
  const payloads = {
    rename_session: { path, name: "Tides" },
    fork_session: { path },
    convert_session: { path, to: "pi" },
    delete_session: { path },
    save_model_config: { providers: {} },
  };
  for (const [command, payload] of Object.entries(payloads)) {
    const { status, error } = await service.call(command, payload, token);
    assert.deepEqual([status, error?.code], [409, "READ_ONLY"], command);
  }
}

async function checkMarks(service, home, token) {
  const { data } = await service.call("toggle_favorite", { path: home.original }, token);
  assert.equal(data.is_favorite, true);
}

function checkHealthCheck(engine, service) {
  engine.podman("healthcheck", "run", service.container);
  const elsewhere = ["sh", "-c", "SESSION_MANAGER_DATA_DIR=/tmp node /opt/session-manager/container/healthcheck.mjs"];
  assert.throws(() => service.exec(...elsewhere));
}

/** A program that leaves the session of its terminal becomes a child of process 1. */
async function checkTerminals(service, token) {
  const { data } = await service.call("create_terminal", { cwd: "/data" }, token);
  const leave = "for i in 1 2 3; do setsid sleep 5 & done; exit\r";
  await service.call("terminal_write", { id: data.id, data: leave }, token);
  const orphans = () => processes(service).filter((line) => /\(sleep\) \w 1 /.test(line));
  await until("programs are on their own", () => orphans().length === 3);
  await until("they have ended and are waited for", () => orphans().length === 0);
  assert.equal(
    processes(service).find((line) => /\) Z /.test(line)),
    undefined,
  );
  await service.call("terminal_close", { id: data.id }, token);
}

/** All of the container, as proc(5) has them: number, name, state, parent. */
function processes(service) {
  return service.exec("sh", "-c", "cat /proc/[0-9]*/stat 2>/dev/null; true").split("\n");
}

/** With a terminal in which a program does not let itself be ended by the terminal's end. */
async function checkStop(service, token) {
  const { data } = await service.call("create_terminal", { cwd: "/data" }, token);
  await service.call("terminal_write", { id: data.id, data: "trap '' HUP TERM; sleep 1000\r" }, token);
  await until("it runs", () => processes(service).some((line) => line.includes("(sleep)")));
  const begun = performance.now();
  service.compose("stop");
  say(`It stopped within ${seconds(begun)}.`);
  assert.equal(service.inspect("{{.State.ExitCode}}"), "0");
}

async function checkRestart(engine, service, token) {
  const begun = performance.now();
  engine.podman("start", service.container);
  await until("the service answers", async () => (await service.get("/health")).status === 200);
  say(`The first answer came ${seconds(begun)} after "start".`);
  await service.untilReady();
  const { data } = await service.call("list_sessions", { favorites_only: true }, token);
  assert.equal(data.total, 1);
  assert.equal(await indexedBytes(service, token), 0);
}

/** What was read of sessions since the start. */
async function indexedBytes(service, token) {
  const { text } = await service.get("/metrics", token);
  return Number(/^session_manager_index_bytes_total (\d+)$/m.exec(text)?.[1]);
}

async function checkConfiguration(service, token) {
  service.exec("sh", "-c", `echo '{"terminals_enabled": false}' > /config/session-manager.json`);
  service.compose("restart");
  await service.untilReady();
  const { error } = await service.call("create_terminal", { cwd: "/data" }, token);
  assert.match(error.message, /terminals_enabled/);
}

function seconds(begun) {
  return `${((performance.now() - begun) / 1_000).toFixed(2)} s`;
}
