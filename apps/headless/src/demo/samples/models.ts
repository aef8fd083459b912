import type { SampleModel } from "../session-writer.ts";

export const SONNET: SampleModel = {
  provider: "anthropic",
  id: "claude-sonnet-4-5",
  api: "anthropic-messages",
  price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

export const CODEX: SampleModel = {
  provider: "openai",
  id: "gpt-5-codex",
  api: "openai-responses",
  price: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
};
