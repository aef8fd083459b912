import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type FollowOptions, follow } from "./index.ts";

interface TestModel {
  provider: string;
  id: string;
  name?: string;
  reasoning?: boolean;
  thinkingLevelMap?: Record<string, string | null>;
}

/** Models as the registry lists them; the last one has no key. */
const MODELS: TestModel[] = [
  {
    provider: "fake",
    id: "fake-1",
    name: "Fake One",
    reasoning: true,
    thinkingLevelMap: { minimal: null, medium: "normal", max: "max" },
  },
  { provider: "fake", id: "fake-2", reasoning: false },
  { provider: "fake", id: "locked", name: "Locked", reasoning: false },
];

/** The parts of the agent that the extension uses, for a session with one extension. */
export class TestAgent {
  /** What the extension has done to the agent, in order. */
  readonly calls: unknown[] = [];
  /** What is shown in the footer. */
  status: string | undefined;
  name: string | undefined;
  model: TestModel | undefined = MODELS[0];
  thinkingLevel = "medium";
  isIdle = true;
  /** Whether it tells of names, as agents do whose `on` returns a function. */
  readonly #tellsNames: boolean;
  readonly #handlers = new Map<string, (event: object, context: ExtensionContext) => unknown>();
  readonly #context: ExtensionContext;

  constructor(options: FollowOptions & { id?: string; hasUI?: boolean; tellsNames?: boolean }) {
    const { id = "session-1", hasUI = true, tellsNames = true } = options;
    this.#tellsNames = tellsNames;
    this.#context = {
      hasUI,
      cwd: "/project",
      ui: { setStatus: (_key: string, text: string | undefined) => (this.status = text) },
      sessionManager: { getSessionId: () => id, getSessionFile: () => "/nowhere/session.jsonl" },
      modelRegistry: {
        getAvailable: () => MODELS,
        hasConfiguredAuth: (model: { id: string }) => model.id !== "locked",
      },
      isIdle: () => this.isIdle,
      abort: () => this.calls.push("abort"),
      shutdown: () => this.calls.push("shutdown"),
    } as unknown as ExtensionContext;
    Object.defineProperty(this.#context, "model", { get: () => this.model });
    follow(this.#api(), options);
  }

  /** Tells the extension of an event, as the agent does; nothing else happens in the agent before this resolves. */
  async emit(type: string, fields: object = {}): Promise<void> {
    await this.#handlers.get(type)?.({ type, ...fields }, this.#context);
  }

  #api(): ExtensionAPI {
    return {
      on: (type: string, handler: () => unknown) => {
        this.#handlers.set(type, handler);
        return this.#tellsNames ? () => this.#handlers.delete(type) : undefined;
      },
      sendUserMessage: (content: unknown, options: unknown) => this.calls.push({ content, options }),
      setModel: async (model: TestModel) => {
        if (model.id === "locked") return false;
        this.model = model;
        return true;
      },
      getThinkingLevel: () => this.thinkingLevel,
      setThinkingLevel: (level: string) => {
        this.thinkingLevel = level;
      },
      getSessionName: () => this.name,
      setSessionName: (name: string) => {
        this.name = name;
      },
    } as unknown as ExtensionAPI;
  }
}
