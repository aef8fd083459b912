/** Lines of a session file as version 3 of the agent writes them, as far as the corpus uses them. */
export type Entry =
  | (EntryBase & { type: "message"; message: Message })
  | (EntryBase & { type: "model_change"; provider: string; modelId: string })
  | (EntryBase & { type: "thinking_level_change"; thinkingLevel: string })
  | (EntryBase & { type: "compaction"; summary: string; firstKeptEntryId: string; tokensBefore: number })
  | (EntryBase & { type: "branch_summary"; fromId: string; summary: string })
  | (EntryBase & { type: "custom"; customType: string; data: Record<string, number | string> })
  | (EntryBase & { type: "custom_message"; customType: string; content: string; display: boolean })
  | (EntryBase & { type: "label"; targetId: string; label: string })
  | (EntryBase & { type: "session_info"; name: string });

export interface EntryBase {
  id: string;
  parentId: string | null;
  timestamp: string;
}

/** An entry before it is appended: place and time are not known yet. */
export type EntryBody = Entry extends infer Known
  ? Known extends Entry
    ? Omit<Known, keyof EntryBase>
    : never
  : never;

export type Message = UserMessage | AssistantMessage | ToolResultMessage | BashMessage;

export interface UserMessage {
  role: "user";
  content: (TextBlock | ImageBlock)[];
  timestamp: number;
}

export interface AssistantMessage {
  role: "assistant";
  content: (TextBlock | ThinkingBlock | ToolCallBlock)[];
  api: string;
  provider: string;
  model: string;
  usage: MessageUsage;
  stopReason: "stop" | "toolUse";
  timestamp: number;
  responseId: string;
}

export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: TextBlock[];
  details?: { diff: string; firstChangedLine: number };
  isError: boolean;
  timestamp: number;
}

export interface BashMessage {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode: number;
  cancelled: boolean;
  truncated: boolean;
  timestamp: number;
}

export interface TextBlock {
  type: "text";
  text: string;
}

export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  thinkingSignature: string;
}

export interface ImageBlock {
  type: "image";
  data: string;
  mimeType: string;
}

export interface ToolCallBlock {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, string | number | { oldText: string; newText: string }[]>;
}

export interface MessageUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/**
 * Lists what a search has to cover in an entry: everything that was said, thought, run or returned, and names.
 * Images, signatures, ids, messages that are hidden from people and the diffs beside the results of edits (they repeat
 * the arguments) are left out.
 */
export function searchableTexts(entry: EntryBody): string[] {
  switch (entry.type) {
    case "message":
      return messageTexts(entry.message);
    case "compaction":
    case "branch_summary":
      return [entry.summary];
    case "custom_message":
      return entry.display ? [entry.content] : [];
    case "label":
      return [entry.label];
    case "session_info":
      return [entry.name];
    default:
      return [];
  }
}

function messageTexts(message: Message): string[] {
  if (message.role === "bashExecution") return [message.command, message.output];
  return message.content.flatMap((block) => {
    switch (block.type) {
      case "text":
        return [block.text];
      case "thinking":
        return [block.thinking];
      case "toolCall":
        return [block.name, ...Object.values(block.arguments).flatMap(argumentTexts)];
      default:
        return [];
    }
  });
}

function argumentTexts(value: ToolCallBlock["arguments"][string]): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "number" ? [] : value.flatMap(({ oldText, newText }) => [oldText, newText]);
}
