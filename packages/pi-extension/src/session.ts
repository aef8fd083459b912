import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/** What the service is told of the session, in the field names of its commands. */
export interface SessionState {
  session_path: string | null;
  cwd: string;
  state: "idle" | "streaming" | "exited";
  model: string | null;
  thinking_level: string;
  name: string | null;
}

/** A model that the session can use, in the field names of the service's commands. */
export interface SessionModel {
  model: string;
  name: string | null;
  reasoning: boolean;
}

/** What the service asks for; see `take_coding_session_requests` in its reference. */
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

/** Characters of a name that the service takes. */
const NAME_LENGTH = 200;
/** Models that the service takes. */
const MOST_MODELS = 1_000;

export function stateOf(pi: ExtensionAPI, context: ExtensionContext, state: SessionState["state"]): SessionState {
  const file = context.sessionManager.getSessionFile();
  const { model } = context;
  return {
    // The agent names its file before it writes it.
    session_path: file !== undefined && existsSync(file) ? file : null,
    cwd: context.cwd,
    state,
    model: model === undefined ? null : `${model.provider}/${model.id}`,
    thinking_level: pi.getThinkingLevel(),
    name: pi.getSessionName()?.slice(0, NAME_LENGTH) ?? null,
  };
}

export function modelsOf({ modelRegistry }: ExtensionContext): SessionModel[] {
  const models = modelRegistry.getAvailable().slice(0, MOST_MODELS);
  return models.map(({ provider, id, name, reasoning }) => ({
    model: `${provider}/${id}`,
    name: name?.slice(0, NAME_LENGTH) || null,
    reasoning,
  }));
}

/**
 * Carries a request out, as if the person at the terminal had.
 *
 * @throws where that is known not to be possible.
 */
export async function carryOut(request: ServiceRequest, pi: ExtensionAPI, context: ExtensionContext): Promise<void> {
  switch (request.type) {
    case "prompt":
      return sendPrompt(request, pi, context);
    case "abort":
      return context.abort();
    case "set_model":
      if (request.model !== null) await setModel(request.model, pi, context);
      if (request.thinking_level !== null) setThinkingLevel(request.thinking_level, pi);
      return;
    case "set_name":
      return pi.setSessionName(request.name);
    case "stop":
      // A shutdown waits for the end of a turn that runs.
      context.abort();
      return context.shutdown();
    default:
      throw new Error(`This version of the extension cannot carry out "${(request as ServiceRequest).type}".`);
  }
}

function sendPrompt(
  { prompt, mode, images }: Extract<ServiceRequest, { type: "prompt" }>,
  pi: ExtensionAPI,
  context: ExtensionContext,
): void {
  // The agent reports these only on its own screen.
  if (context.model === undefined) throw new Error("The session has no model.");
  if (!context.modelRegistry.hasConfiguredAuth(context.model)) {
    throw new Error(`There is no API key for ${context.model.provider}.`);
  }
  const content = [
    { type: "text" as const, text: prompt },
    ...images.map(({ data, mime_type }) => ({ type: "image" as const, data, mimeType: mime_type })),
  ];
  // Counts only during a turn.
  pi.sendUserMessage(content, { deliverAs: mode === "steer" ? "steer" : "followUp" });
}

async function setModel(wanted: string, pi: ExtensionAPI, { modelRegistry }: ExtensionContext): Promise<void> {
  const model = modelRegistry
    .getAvailable()
    .find(({ provider, id }) => wanted === `${provider}/${id}` || wanted === id);
  if (model === undefined || !(await pi.setModel(model))) throw new Error(`The model ${wanted} cannot be used.`);
}

const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;

function setThinkingLevel(wanted: string, pi: ExtensionAPI): void {
  const level = THINKING_LEVELS.find((level) => level === wanted);
  if (level === undefined) throw new Error(`There is no thinking level "${wanted}".`);
  pi.setThinkingLevel(level);
}
