/** What the client adds to the input of the model as the user's, each between tags of this name. */
const CONTEXT_TAGS = [
  "INSTRUCTIONS",
  "apps_instructions",
  "codex_internal_context",
  "collaboration_mode",
  "environment_context",
  "environments",
  "goal_context",
  "hook_prompt",
  "permissions instructions",
  "plugins_instructions",
  "recommended_plugins",
  "skill",
  "skills_instructions",
  "subagent_notification",
  "turn_aborted",
  "user_action",
  "user_instructions",
  "user_shell_command",
];
/** Comes before the tags of the instructions of a project. */
const PROJECT_INSTRUCTIONS = "# AGENTS.md instructions";
/** Extensions of editors send what is open in them, and then the words. */
const EDITOR_CONTEXT = /^# (?:Context from my IDE|Files mentioned by the user)/;
const REQUEST = "\n## My request for Codex:";

/** The user's own words in a text; empty if all of it is context that the client has added. */
export function userWords(text: string): string {
  let words = text;
  for (let rest: string | null = words; rest !== null; rest = withoutContext(words)) words = rest;
  if (!EDITOR_CONTEXT.test(words.trimStart())) return words;
  const request = words.indexOf(REQUEST);
  return request < 0 ? words : words.slice(request + REQUEST.length).trim();
}

/** The text behind one block of context; `null` if it begins with something else. */
function withoutContext(text: string): string | null {
  const start = text.trimStart();
  if (start.startsWith(PROJECT_INSTRUCTIONS)) {
    const tag = start.indexOf("<INSTRUCTIONS>");
    return tag < 0 ? null : afterTag(start, "INSTRUCTIONS", tag);
  }
  if (!start.startsWith("<")) return null;
  const tag = CONTEXT_TAGS.find((name) => start.startsWith(name, 1) && /[\s>]/.test(start[name.length + 1] ?? ""));
  return tag === undefined ? null : afterTag(start, tag, 0);
}

function afterTag(text: string, tag: string, from: number): string | null {
  const close = `</${tag}>`;
  const end = text.indexOf(close, from);
  return end < 0 ? null : text.slice(end + close.length).trimStart();
}
