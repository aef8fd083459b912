/** Who a message is from, or what made it. */
export type MessageRole = "user" | "assistant" | "tool" | "bash" | "custom" | "system";

/** Type of an entry, as needed for tree traversal. */
export type OutlineRole = MessageRole | "name" | "label" | "context_edit" | null;
