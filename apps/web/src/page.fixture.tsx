import type {
  ClientEvent,
  CommandInput,
  CommandName,
  CommandOutput,
  EventsOptions,
  SessionRecord,
} from "@sm/router/client";
import { CommandError } from "@sm/router/client";
import { act, render, screen } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { onTestFinished } from "vitest";
import { followTheme } from "./appearance/theme.ts";
import type { Connection, Service } from "./client/service.ts";
import { openServiceData } from "./client/service-data.ts";
import { serviceKind } from "./client/service-kind.ts";
import { loadLocale, localePreference } from "./i18n/locale.ts";
import { App } from "./shell/app.tsx";

/** What the service answers to commands: data, an error that they fail with, or what makes either of a payload. */
export type Answers = {
  [Name in CommandName]?:
    | CommandOutput<Name>
    | Error
    | ((payload: CommandInput<Name>) => CommandOutput<Name> | Error | Promise<CommandOutput<Name>>);
};

export interface PageOptions {
  sessions?: readonly SessionRecord[];
  answers?: Answers;
  connection?: Connection;
  /** What serves the page; `home` if absent. */
  kind?: "home" | "hub";
  /** The language; English if absent. */
  locale?: "en" | "zh";
  /** Milliseconds between one key and the next; `null`, if absent, waits for nothing. */
  keyDelay?: number | null;
}

/** The page in a window without layout, on a service that answers as a test says. */
export interface TestPage {
  user: UserEvent;
  /** The payloads that commands of this name were sent with, oldest first. */
  asked<Name extends CommandName>(name: Name): CommandInput<Name>[];
  /** Changes answers, from now on. */
  answer(answers: Answers): void;
  /** Sends a push event. */
  tell<Name extends ClientEvent["event"]>(event: Name, payload: Extract<ClientEvent, { event: Name }>["payload"]): void;
  /** Changes how the page stands with the service. */
  connect(connection: Connection): void;
  /** Tokens that the user has signed in with. */
  signedIn: { token: string; remember: boolean }[];
  /** The address without its origin. */
  address(): string;
}

// As main.tsx does, once for all tests of a worker.
followTheme();

const OPEN: Connection = { state: "open", over: "websocket" };

/** Opens an address of the page. A command without an answer fails with `NOT_FOUND`. */
export async function openPage(address: string, options: PageOptions = {}): Promise<TestPage> {
  const { sessions = [], locale = "en", kind = "home" } = options;
  const calls: [name: string, payload: unknown][] = [];
  const signedIn: TestPage["signedIn"] = [];
  const followers = new Set<EventsOptions>();
  const listeners = new Set<() => void>();
  let connection = options.connection ?? OPEN;
  let seq = 0;
  let answers: Answers = {
    list_sessions: ({ archived = "exclude" }: CommandInput<"list_sessions">) => {
      const isShown = (record: SessionRecord) =>
        archived === "include" || (record.archived_at === null) === (archived !== "only");
      const shown = sessions.filter(isShown);
      return { sessions: shown, total: shown.length, total_size_bytes: null, next_cursor: null, pending: 0 };
    },
    list_tags: [],
    list_live_sessions: [],
    get_coding_live_sessions: [],
    list_themes: [],
    list_hub_users: [],
    list_shared_projects: [],
    ...options.answers,
  } as Answers;

  const call = async (name: CommandName, ...[payload = {}]: unknown[]) => {
    calls.push([name, payload]);
    const known = answers[name] as unknown;
    if (known === undefined) throw new CommandError("NOT_FOUND", `The test gives no answer to ${name}.`);
    const answer = typeof known === "function" ? await known(payload) : known;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const service: Service = {
    call,
    async *items(name: CommandName, payload: unknown) {
      yield await call(name, payload);
    },
    events(followed: EventsOptions) {
      followers.add(followed);
      return { close: () => followers.delete(followed) };
    },
    acknowledge: () => {},
    farewell: (name: CommandName, payload: unknown) => void calls.push([name, payload]),
    connection: () => connection,
    onConnection(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () => null,
    signIn: (token: string, { remember }: { remember: boolean }) => signedIn.push({ token, remember }),
    forgetToken: () => {},
    close: () => {},
  } as Service;

  history.replaceState(null, "", address);
  localePreference.set(locale);
  serviceKind.set(kind);
  const data = openServiceData(service);
  onTestFinished(data.close);
  render(<App data={data} locale={await loadLocale()} />);
  // Screens are loaded when they are opened.
  await screen.findByRole("main", { hidden: true });
  return {
    user: userEvent.setup({ delay: options.keyDelay ?? null }),
    asked: (name) => calls.flatMap(([called, payload]) => (called === name ? [payload as never] : [])),
    answer(more) {
      answers = { ...answers, ...more };
    },
    tell(event, payload) {
      seq += 1;
      const told = { event, seq, payload } as ClientEvent;
      act(() => {
        for (const follower of [...followers]) follower.onEvent(told);
      });
    },
    connect(next) {
      connection = next;
      act(() => {
        for (const listener of [...listeners]) listener();
      });
    },
    signedIn,
    address: () => location.pathname + location.search,
  };
}
