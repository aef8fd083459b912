import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { type FakeOptions, runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-cli-config-"));
});

afterEach(() => rm(folder, { recursive: true }));

const bundle = { version: 1, server: { http_port: 1 } };

const version = (id: string, origin: string) => ({
  id,
  created_at: "2026-06-01T12:00:00.000Z",
  origin,
  size_bytes: 1_234,
  sha256: "",
});

const answers = {
  get_config_bundle: bundle,
  save_config_bundle: { version_id: "new" },
  list_config_versions: [
    version("aaaabbbb1", "external"),
    version("aaaabbbb2", "create_tag"),
    version("cccc", "start"),
  ],
  get_config_version: { ...version("cccc", "start"), bundle },
  restore_config_version: { version_id: "new" },
  diff_config_versions: {
    from: "cccc",
    to: "aaaabbbb1",
    changes: [
      { path: "/server/http_port", kind: "changed", from: 1, to: 2 },
      { path: "/server/new", kind: "added", from: null, to: { a: [] } },
      { path: "/tags/0", kind: "removed", from: "x", to: null },
    ],
  },
};

const config = (argv: string[], options: FakeOptions = {}) => runFake(["config", ...argv], { answers, ...options });

describe("config", () => {
  it("shows the present one and earlier ones", async () => {
    expect(JSON.parse((await config(["show"])).stdout)).toEqual(bundle);
    const earlier = await config(["show", "cc"], TERMINAL);
    expect(JSON.parse(earlier.stdout)).toEqual(bundle);
    expect(earlier.sent.at(-1)).toEqual(["get_config_version", { id: "cccc" }]);
  });

  it("lists the versions", async () => {
    const [head, first] = (await config(["versions"], TERMINAL)).stdout.split("\n");
    expect(head).toMatch(/^ID +SINCE +MADE BY +BYTES$/);
    expect(first).toMatch(/^aaaabbbb1 {2}2026-06-01 \d\d:00 {2}external +1234$/);
    expect(JSON.parse((await config(["versions", "--json"])).stdout)).toEqual(answers.list_config_versions);
  });

  it("shows what has changed", async () => {
    const { stdout, sent } = await config(["diff", "cccc"], TERMINAL);
    expect(sent.at(-1)).toEqual(["diff_config_versions", { from: "cccc", to: "aaaabbbb1" }]);
    expect(stdout).toBe('~ /server/http_port: 1 → 2\n+ /server/new: {"a":[]}\n- /tags/0: "x"\n');
    expect(JSON.parse((await config(["diff", "cccc", "last", "--json"])).stdout)).toEqual(answers.diff_config_versions);
    expect((await config(["diff"])).sent.at(-1)).toEqual([
      "diff_config_versions",
      { from: "aaaabbbb2", to: "aaaabbbb1" },
    ]);
    const same = { ...answers, diff_config_versions: { changes: [] } };
    expect((await config(["diff", "last"], { ...TERMINAL, answers: same })).stdout).toBe("No differences\n");
  });

  it("brings one back", async () => {
    const { stdout, sent } = await config(["restore", "aaaabbbb2"], TERMINAL);
    expect(sent.at(-1)).toEqual(["restore_config_version", { id: "aaaabbbb2" }]);
    expect(stdout).toMatch(/^Restored the configuration of 2026-06-01 \d\d:00\.\n$/);
  });

  it("does not guess which one is meant", async () => {
    expect((await config(["restore", "aaaa"])).error).toMatchObject({
      exitCode: EXIT.notFound,
      lines: [expect.stringContaining("aaaabbbb1"), expect.stringContaining("aaaabbbb2")],
    });
    for (const named of ["x", ""]) {
      expect((await config(["restore", named])).error).toMatchObject({ exitCode: EXIT.notFound });
    }
  });

  it("goes to a file for its owner only, and back", async () => {
    const file = join(folder, "laptop.json");
    expect(await config(["export", file])).toMatchObject({ stdout: "", stderr: `Written to ${file}.\n`, error: null });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(bundle);
    expect((await config(["export", file])).error).toMatchObject({ exitCode: EXIT.refused });
    expect((await config(["export", file, "--force"])).error).toBeNull();
    expect(JSON.parse((await config(["export", "-"])).stdout)).toEqual(bundle);

    for (const run of [
      await config(["import", file, "--json"]),
      await config(["import", "-", "--json"], { typed: JSON.stringify(bundle) }),
    ]) {
      expect(run).toMatchObject({ error: null, sent: [["save_config_bundle", bundle]] });
      expect(JSON.parse(run.stdout)).toEqual({ version_id: "new" });
    }
  });

  it("goes with the marks of sessions where they are asked for, and comes back with those that the file has", async () => {
    const exported = await config(["export", "--marks", "-"]);
    expect(exported.sent).toEqual([["get_config_bundle", { include_marks: true }]]);
    const withMarks = { ...bundle, marks: { favorites: [] } };
    const typed = JSON.stringify(withMarks);
    expect((await config(["import", "-"], { typed })).sent).toEqual([["save_config_bundle", withMarks]]);
    expect((await config(["import", "-", "--no-marks"], { typed })).sent).toEqual([["save_config_bundle", bundle]]);
  });

  it.each<[string | null, number]>([
    [null, EXIT.notFound],
    ["{ broken", EXIT.usage],
  ])("takes no file that holds %j", async (text, exitCode) => {
    const file = join(folder, "x.json");
    if (text !== null) await writeFile(file, text);
    expect(await config(["import", file])).toMatchObject({ error: { exitCode }, sent: [] });
  });
});

describe("models", () => {
  const file = { path: "/home/.pi/agent/models.json", exists: true, config: { providers: {} } };
  const backups = [{ backup_name: "models-1.json", created_at: "2026-06-01T12:00:00.000Z", size_bytes: 9 }];
  const saved = { backup_name: "models-1.json" };
  const answers = {
    load_model_config: file,
    save_model_config: { backup_name: null },
    import_model_config_from_path: saved,
    export_model_config_to_path: { path: "/x.json" },
    list_model_config_backups: backups,
    restore_model_config_backup: saved,
  };
  const models = (argv: string[], options: FakeOptions = {}) => runFake(["models", ...argv], { answers, ...options });

  it("shows the file", async () => {
    expect(JSON.parse((await models(["show", "--json"])).stdout)).toEqual(file);
    expect(JSON.parse((await models(["show"], TERMINAL)).stdout)).toEqual(file.config);
    const none = { load_model_config: { ...file, exists: false, config: null } };
    expect((await models(["show"], { ...TERMINAL, answers: none })).stderr).toBe(`${file.path} does not exist yet.\n`);
  });

  it("saves what it is given", async () => {
    const run = await models(["save", "-"], { ...TERMINAL, typed: '\ufeff{"providers": {}}' });
    expect(run.sent).toEqual([["save_model_config", { providers: {} }]]);
    expect(run.stdout).toBe("Saved the model configuration.\n");
  });

  it.each<[string[], unknown[]]>([
    [
      ["import", "new.json"],
      ["import_model_config_from_path", { path: resolve("new.json") }],
    ],
    [
      ["export", "/x.json"],
      ["export_model_config_to_path", { path: "/x.json" }],
    ],
    [
      ["export", "/x.json", "--force"],
      ["export_model_config_to_path", { path: "/x.json", overwrite: true }],
    ],
    [
      ["restore", "models-0.json"],
      ["restore_model_config_backup", { backup_name: "models-0.json" }],
    ],
    [
      ["restore", "last"],
      ["restore_model_config_backup", { backup_name: "models-1.json" }],
    ],
  ])("%j sends one command", async (argv, sent) => {
    const run = await models(argv);
    expect(run.error).toBeNull();
    expect(run.sent.at(-1)).toEqual(sent);
  });

  it("says which backup keeps the file before", async () => {
    const { stdout } = await models(["restore", "last"], TERMINAL);
    expect(stdout).toBe("Saved the model configuration; the previous one is the backup models-1.json.\n");
  });

  it("lists the backups", async () => {
    const { stdout } = await models(["backups"], TERMINAL);
    expect(stdout).toMatch(/^BACKUP +MADE +BYTES\nmodels-1\.json {2}2026-06-01 \d\d:00 +9\n$/);
    const none = { list_model_config_backups: [] };
    expect((await models(["backups"], { ...TERMINAL, answers: none })).stdout).toBe("0 backups\n");
    expect((await models(["restore", "last"], { answers: none })).error).toMatchObject({ exitCode: EXIT.notFound });
  });
});
