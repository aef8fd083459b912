import { PassThrough } from "node:stream";
import type { ClientEvent } from "@sm/router/client";
import type { Connection, ConnectOptions } from "./connection/connection.ts";
import { createProgram } from "./program.ts";
import { type ProcessStreams, Shell, type ViewOptions } from "./shell.ts";

export interface FakeOptions {
  /** Columns of the terminal; without, the output is no terminal. */
  columns?: number;
  /** Somebody sits at the terminal and types this. */
  typed?: string | undefined;
  /** They stay after that; else the input ends. */
  stays?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Home of the user. */
  home?: string;
  /** Answers to commands, of which errors are thrown; what is not here fails the test. */
  answers?: Record<string, unknown>;
  /** What a download gives, for each path where that matters; errors are thrown. */
  content?: string | Record<string, string | Error>;
  /** Events that the server tells whoever follows them, `hello` before them. */
  events?: ClientEvent[];
  /** `false`: the pager cannot be started. */
  hasPager?: boolean;
  /** What downloads are called. */
  fileName?: string;
}

export interface FakeRun {
  stdout: string;
  stderr: string;
  /** What the pager has shown. */
  paged: string[];
  /** Commands that were sent, with their payloads. */
  sent: [command: string, payload: unknown][];
  /** Topics that were followed. */
  followed: (readonly string[] | undefined)[];
  /** Whether keys came one by one, at each change. */
  raw: boolean[];
  connected: ConnectOptions[];
  served: unknown[];
  /** Commands that were run in the terminal. */
  executed: string[];
  closed: number;
  /** What the command line failed with. */
  error: unknown;
}

/** Runs a command line against a connection that answers what the test says. */
export async function runFake(argv: readonly string[], options: FakeOptions = {}): Promise<FakeRun> {
  const run: FakeRun = {
    stdout: "",
    stderr: "",
    paged: [],
    sent: [],
    followed: [],
    raw: [],
    connected: [],
    served: [],
    executed: [],
    closed: 0,
    error: null,
  };
  const connection: Connection = {
    async send(command, payload) {
      run.sent.push([command, JSON.parse(JSON.stringify(payload))]);
      const answer = options.answers?.[command];
      if (answer === undefined) throw new Error(`Nobody expected ${command}.`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async download(query) {
      run.sent.push(["download", queryOf(query)]);
      const content = options.content ?? "";
      const answer = typeof content === "string" ? content : (content[query.get("path") ?? "zip"] ?? "");
      if (answer instanceof Error) throw answer;
      return { fileName: options.fileName ?? "session.md", chunks: pieces(answer) };
    },
    events({ topics, onEvent }) {
      run.followed.push(topics);
      const hello: ClientEvent = {
        event: "hello",
        seq: 0,
        payload: { api_version: 1, server_version: "1.2.3", kind: "home", seq: 0 },
      };
      queueMicrotask(() => {
        for (const event of [hello, ...(options.events ?? [])]) onEvent(event);
      });
      return { close: () => undefined };
    },
    followVerification(onProgress) {
      for (const { event, payload } of options.events ?? []) {
        if (event === "vault-verification") onProgress(payload.checked, payload.total);
      }
    },
    async copyVault(direction, directory) {
      run.sent.push([direction, directory]);
      return { directory, sessions: 3, written_bytes: 4_500, damaged: direction === "import" ? ["/s/bad.jsonl"] : [] };
    },
    async close() {
      run.closed += 1;
    },
  };
  const program = createProgram("1.2.3", {
    async serve(flags, serveOptions) {
      run.served.push({ flags, ...serveOptions });
    },
    write: (text) => {
      run.stdout += text;
    },
    shell: (view: ViewOptions) =>
      new Shell(streams(run, options), view, options.env ?? {}, async (text) => {
        run.paged.push(text);
        return options.hasPager !== false;
      }),
    async connect(wanted) {
      run.connected.push(wanted);
      return connection;
    },
    speakMcp: () => Promise.resolve(),
    user: { env: options.env ?? {}, home: options.home ?? "/nobody", program: "/usr/bin/session-cli" },
    async execute(command) {
      run.executed.push(command);
      return 0;
    },
  });
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command.configureOutput({
      writeOut: (text) => (run.stdout += text),
      writeErr: (text) => (run.stderr += text),
    });
  }
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    run.error = error;
  }
  return run;
}

async function* pieces(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  // In the middle of whatever takes several bytes.
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
}

function streams(run: FakeRun, { columns, typed, stays }: FakeOptions): ProcessStreams {
  const isTTY = columns !== undefined;
  const collect = (name: "stdout" | "stderr") =>
    new PassThrough().setEncoding("utf8").on("data", (text: string) => {
      run[name] += text;
    });
  const stdin = new PassThrough();
  stdin.write(typed ?? "");
  if (stays !== true) stdin.end();
  return {
    stdin: Object.assign(stdin, {
      isTTY: isTTY && typed !== undefined,
      setRawMode: (isRaw: boolean) => run.raw.push(isRaw),
    }),
    stdout: Object.assign(collect("stdout"), { isTTY, columns: columns ?? 0, rows: columns === undefined ? 0 : 30 }),
    stderr: Object.assign(collect("stderr"), { isTTY }),
  } as unknown as ProcessStreams;
}

/** Parameters by name; those that are given several times have a list. */
function queryOf(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [value = "", ...others] = query.getAll(name);
      return [name, others.length === 0 ? value : [value, ...others]];
    }),
  );
}
