import { oneLine, textsOf, uriOf } from "@sm/core";
import { MOST_BUDGET } from "./answer.ts";
import { call } from "./commands.ts";
import type { McpContext } from "./context.ts";
import { isOwn } from "./sessions.ts";
import { readSession } from "./tools/read-session.ts";

const PER_PAGE = 50;
const MIME_TYPE = "text/markdown";

/** A session as a resource. */
export interface SessionResource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
}

/** Sessions as resources, the newest first. */
export async function listResources(
  cursor: string | undefined,
  context: McpContext,
): Promise<{ resources: SessionResource[]; nextCursor?: string }> {
  const { sessions, next_cursor } = await call(context.send, "list_sessions", { limit: PER_PAGE, cursor });
  const resources = sessions
    .filter((session) => !isOwn(session, context))
    .map(({ id, title, cwd }) => ({
      uri: uriOf(id),
      name: id,
      title: oneLine(textsOf(context, cwd).beginning(title), 160),
      mimeType: MIME_TYPE,
    }));
  return { resources, ...(next_cursor !== null && { nextCursor: next_cursor }) };
}

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: "session://{id}",
    name: "session",
    title: "Session",
    description:
      "The end of a session as text, with references to its entries; session://id#entry for the part around one.",
    mimeType: MIME_TYPE,
  },
];

/** The text of a session's resource. */
export async function readResource(uri: string, context: McpContext) {
  const { text } = await readSession.run({ ref: uri, max_chars: MOST_BUDGET }, context);
  return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
}
