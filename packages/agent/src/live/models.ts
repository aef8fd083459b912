import { AppError, isJsonObject, type JsonValue, type LiveModel, nearest } from "@sm/core";

/** More than all providers together offer. */
const MAX_MODELS = 10_000;

/** A model as in the agent's commands. */
export interface AgentModel extends LiveModel {
  provider: string;
  id: string;
}

/** Parses the response to `get_available_models`, ignoring unknown parts. */
export function parseModels(data: JsonValue | undefined): AgentModel[] {
  const listed = isJsonObject(data) && Array.isArray(data.models) ? data.models : [];
  return listed.slice(0, MAX_MODELS).flatMap((model) => parseModel(model) ?? []);
}

/** Parses a model of the agent; `null` if there is none, which the agent calls unknown. */
export function parseModel(value: JsonValue | undefined): AgentModel | null {
  if (!isJsonObject(value) || typeof value.provider !== "string" || typeof value.id !== "string") return null;
  const { provider, id, name, reasoning } = value;
  if (provider === "unknown" && id === "unknown") return null;
  return {
    model: `${provider}/${id}`,
    name: typeof name === "string" ? name : null,
    reasoning: reasoning === true,
    provider,
    id,
  };
}

/** Parses how many tokens a model of the agent can look at; `null` if it does not tell. */
export function parseContextWindow(model: JsonValue | undefined): number | null {
  const told = isJsonObject(model) ? model.contextWindow : null;
  return typeof told === "number" && Number.isFinite(told) && told > 0 ? told : null;
}

/**
 * Finds a model by `provider/model` or by its ID; among several with that ID, prefers the current provider. Throws
 * AppError `INVALID_PAYLOAD` that names the closest match or the candidates.
 */
export function chooseModel(models: readonly AgentModel[], wanted: string, present: string | null): AgentModel {
  const exact = models.find(({ model }) => model === wanted);
  if (exact !== undefined) return exact;
  const [first, ...others] = models.filter(({ id }) => id === wanted);
  if (first === undefined) {
    const close = nearest(wanted, wanted.includes("/") ? models.map(({ model }) => model) : models.map(({ id }) => id));
    throw unfit(`There is no model ${wanted}${close === undefined ? "" : `; the nearest is ${close}`}.`);
  }
  if (others.length === 0) return first;
  const same = [first, ...others].find(({ provider }) => present?.startsWith(`${provider}/`));
  if (same !== undefined) return same;
  const names = [first, ...others].slice(0, 5).map(({ model }) => model);
  throw unfit(`Several providers have a model ${wanted}: choose one of ${names.join(", ")}.`);
}

function unfit(message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path: "model", message }] });
}
