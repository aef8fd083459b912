// Files and IDs used in the examples of commands; the home directory is /home/me.

const AGENT = "/home/me/.pi/agent";

export const SESSION_ID = "0198c1f2-7a3b-7c4d-8e5f-6a7b8c9d0e1f";

export const SESSION = `${AGENT}/sessions/--home-me-project--/2026-01-31T10-00-00-000Z_${SESSION_ID}.jsonl`;

export const RESTORED_SESSION = `${AGENT}/sessions/--home-me-project--/restored.jsonl`;

export const PROMPT = `${AGENT}/prompts/review.md`;

export const PROJECT = "/home/me/project";

export const MORE_SESSIONS = "/home/me/more-sessions";

export const MODEL_CONFIG_COPY = "/home/me/models-copy.json";

/** ID of a tag, token, terminal or configuration version. */
export const ID = "5f0c1d9e-3a52-4c8b-9d57-2f6f0f8a1b2c";

export const SHARE_ID = "5f0c1d9e3a524c8b9d572f6f0f8a1b2c";

export const MODEL_CONFIG = {
  providers: {
    ollama: {
      baseUrl: "http://127.0.0.1:11434/v1",
      api: "openai-completions",
      apiKey: "ollama",
      models: [{ id: "qwen2.5-coder:7b" }],
    },
  },
};
