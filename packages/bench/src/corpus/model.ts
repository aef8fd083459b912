import type { MessageUsage } from "./entry.ts";

export interface Model {
  api: string;
  provider: string;
  model: string;
  /** Price of a token that goes in; the other kinds follow from it. */
  dollars: number;
}

export const MODELS: readonly Model[] = [
  { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5", dollars: 3e-6 },
  { api: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-5", dollars: 5e-6 },
  { api: "openai-responses", provider: "openai", model: "gpt-5.1-codex", dollars: 1.25e-6 },
  { api: "google-generative-ai", provider: "google", model: "gemini-3-pro", dollars: 2e-6 },
];

/** Puts prices to tokens. */
export function usageOf(
  { dollars }: Model,
  tokens: Pick<MessageUsage, "input" | "output" | "cacheRead" | "cacheWrite">,
): MessageUsage {
  const { input, output, cacheRead, cacheWrite } = tokens;
  const cost = {
    input: input * dollars,
    output: output * dollars * 5,
    cacheRead: cacheRead * dollars * 0.1,
    cacheWrite: cacheWrite * dollars * 1.25,
  };
  const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  return { ...tokens, totalTokens: input + output + cacheRead + cacheWrite, cost: { ...cost, total } };
}
