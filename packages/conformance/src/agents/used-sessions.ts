class Entries {
  readonly lines: object[] = [];
  #leaf: string | null = null;
  #cost = 1;

  /** @returns the id of the entry. */
  entry(fields: object): string {
    const id = (this.lines.length + 1).toString(16).padStart(8, "0");
    const timestamp = new Date(Date.UTC(2026, 10, 1, 10, this.lines.length)).toISOString();
    this.lines.push({ ...fields, id, parentId: this.#leaf, timestamp });
    this.#leaf = id;
    return id;
  }

  from(id: string): void {
    this.#leaf = id;
  }

  message(message: object): string {
    return this.entry({ type: "message", message: { ...message, timestamp: 1_793_527_200_000 } });
  }

  answer(fields: object): void {
    const content = [{ type: "text", text: "Done" }];
    this.message({ role: "assistant", content, api: "a", provider: "p", model: "m", usage: this.usage(), ...fields });
  }

  usage(): object {
    const total = this.#cost;
    this.#cost *= 2;
    const parts = { input: 1, output: 2, cacheRead: 3 * total, cacheWrite: 4, reasoning: 1, cacheWrite1h: 2 };
    return { ...parts, totalTokens: 10_000, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: total, total } };
  }
}

/** Writes a session whose entries cost 1, 2, 4 … dollars. */
function session(id: string, write: (entries: Entries) => void): string {
  const entries = new Entries();
  write(entries);
  const header = { type: "session", version: 3, id, timestamp: "2026-11-01T10:00:00.000Z", cwd: `/code/${id}` };
  return [header, ...entries.lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A session of answers alone, all in the context of the model: what even the oldest release sums. */
export const PLAIN = session("plain", (add) => {
  add.message({ role: "user", content: "Look" });
  add.answer({ stopReason: "toolUse", content: [{ type: "toolCall", id: "1", name: "read", arguments: {} }] });
  add.message({ role: "toolResult", toolCallId: "1", toolName: "read", content: [], isError: true });
  add.answer({ stopReason: "aborted", content: [] });
  add.message({ role: "user", content: "Go on" });
  add.answer({ stopReason: "stop", provider: "azure-openai-responses" });
});

/** A session with every kind of use that releases up to 1.5.2 write. */
export const ALL_KINDS = session("all-kinds", (add) => {
  add.entry({ type: "model_change", provider: "p", modelId: "m" });
  add.message({ role: "system", content: "", sections: { preamble: "You are" }, toolsAdded: [] });
  const first = add.message({ role: "user", content: "Draw" });
  add.answer({ stopReason: "toolUse", content: [{ type: "toolCall", id: "1", name: "codemode", arguments: {} }] });
  const calls = [
    { id: "2", name: "read", status: "ok" },
    { id: "3", name: "read", status: "error" },
  ];
  const result = { role: "toolResult", toolCallId: "1", toolName: "codemode", content: [], isError: false };
  add.message({ ...result, nestedCalls: { calls, complete: true }, usage: add.usage() });
  add.answer({ stopReason: "deferred" });
  add.entry({ type: "usage", kind: "cache_warm", provider: "p", model: "warm", usage: add.usage() });
  const end = add.entry({ type: "context_edit", targetId: first, replacement: null });
  add.entry({ type: "compaction", summary: "s", firstKeptEntryId: end, tokensBefore: 1, usage: add.usage() });
  add.message({ role: "user", content: "More" });
  add.answer({ stopReason: "pending" });
  add.from(first);
  add.entry({ type: "branch_summary", fromId: end, summary: "s", usage: add.usage() });
  add.answer({ stopReason: "stop" });
});
