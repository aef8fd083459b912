import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/** State reported to the service, with the field names of its commands. */
export interface SessionState {
  session_path: string | null;
  cwd: string;
  state: "idle" | "streaming" | "waiting" | "exited";
  model: string | null;
  thinking_level: string;
  name: string | null;
}

/** A usable model, with the field names of the service's commands. */
export interface SessionModel {
  model: string;
  name: string | null;
  reasoning: boolean;
  thinking_levels: string[];
}

/** Requests of the service; see `take_coding_session_requests` in its reference. */
export type ServiceRequest = { id: string } & (
  | {
      type: "prompt";
      prompt: string;
      mode: "prompt" | "steer" | "follow_up";
      images: { data: string; mime_type: string }[];
    }
  | { type: "abort" }
  | { type: "set_model"; model: string | null; thinking_level: string | null }
  | { type: "set_name"; name: string }
  | { type: "stop" }
);

/** Maximum characters of a name in the service. */
const NAME_LENGTH = 200;
/** Maximum models in the service. */
const MAX_MODELS = 1_000;

export function stateOf(pi: ExtensionAPI, context: ExtensionContext, state: SessionState["state"]): SessionState {
  const file = context.sessionManager.getSessionFile();
  const { model } = context;
  return {
    // The agent names its file before writing it.
    session_path: file !== undefined && existsSync(file) ? file : null,
    cwd: context.cwd,
    state,
    model: model === undefined ? null : `${model.provider}/${model.id}`,
    thinking_level: pi.getThinkingLevel(),
    name: pi.getSessionName()?.slice(0, NAME_LENGTH) ?? null,
  };
}

export function usableModels({ modelRegistry }: ExtensionContext): SessionModel[] {
  const models = modelRegistry.getAvailable().slice(0, MAX_MODELS);
  return models.map((model) => ({
    model: `${model.provider}/${model.id}`,
    name: model.name?.slice(0, NAME_LENGTH) || null,
    reasoning: model.reasoning,
    thinking_levels: thinkingLevelsOf(model),
  }));
}

/**
 * Carries out a request as if the user had done so in the terminal.
 *
 * @throws if it is known to be impossible.
 */
export async function carryOut(request: ServiceRequest, pi: ExtensionAPI, context: ExtensionContext): Promise<void> {
  switch (request.type) {
    case "prompt":
      return sendPrompt(request, pi, context);
    case "abort":
      return context.abort();
    case "set_model":
      return setModel(request, pi, context);
    case "set_name":
      return pi.setSessionName(request.name);
    case "stop":
      // A shutdown waits for the end of a running turn.
      context.abort();
      return context.shutdown();
    default:
      throw new Error(`This version of the extension does not support "${(request as ServiceRequest).type}".`);
  }
}

function sendPrompt(
  { prompt, mode, images }: Extract<ServiceRequest, { type: "prompt" }>,
  pi: ExtensionAPI,
  context: ExtensionContext,
): void {
  // The agent reports these errors only on its own screen.
  if (context.model === undefined) throw new Error("The session has no model selected.");
  if (!context.modelRegistry.hasConfiguredAuth(context.model)) {
    throw new Error(`There is no API key for ${context.model.provider}.`);
  }
  const content = [
    { type: "text" as const, text: prompt },
    ...images.map(({ data, mime_type }) => ({ type: "image" as const, data, mimeType: mime_type })),
  ];
  // Only relevant during a turn.
  pi.sendUserMessage(content, { deliverAs: mode === "steer" ? "steer" : "followUp" });
}

/** Changes nothing if the model or the thinking level is not available. */
async function setModel(
  { model: wanted, thinking_level: level }: Extract<ServiceRequest, { type: "set_model" }>,
  pi: ExtensionAPI,
  { model: present, modelRegistry }: ExtensionContext,
): Promise<void> {
  const model =
    wanted === null
      ? present
      : modelRegistry.getAvailable().find(({ provider, id }) => wanted === `${provider}/${id}` || wanted === id);
  // The agent would map an unknown level to one of its own, usually "off".
  if (level !== null && model !== undefined && !thinkingLevelsOf(model).includes(level)) {
    throw new Error(`${model.provider}/${model.id} has no thinking level "${level}".`);
  }
  if (wanted !== null && (model === undefined || !(await pi.setModel(model)))) {
    throw new Error(`The model ${wanted} is not available.`);
  }
  // The types of 0.74.2 lack "max".
  if (level !== null) pi.setThinkingLevel(level as ThinkingLevel);
}

type Model = NonNullable<ExtensionContext["model"]>;
type ThinkingLevel = Parameters<ExtensionAPI["setThinkingLevel"]>[0];

/** Levels that models have unless mapped to `null`, and levels that they have only if mapped. */
const COMMON_LEVELS = ["off", "minimal", "low", "medium", "high"];
const FURTHER_LEVELS = ["xhigh", "max"];

/** The levels of a model by the agent's rule (`getSupportedThinkingLevels`), which extensions cannot call. */
function thinkingLevelsOf({ reasoning, thinkingLevelMap = {} }: Model): string[] {
  if (!reasoning) return ["off"];
  const mapped: Record<string, string | null | undefined> = thinkingLevelMap;
  return [
    ...COMMON_LEVELS.filter((level) => mapped[level] !== null),
    ...FURTHER_LEVELS.filter((level) => (mapped[level] ?? null) !== null),
  ];
}
