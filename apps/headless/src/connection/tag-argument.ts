import type { Tag } from "@sm/core";
import { CliError, EXIT } from "../failure.ts";
import { visible } from "../terminal/visible.ts";
import { type Connection, call } from "./connection.ts";

/** A tag with its full path, such as `work/urgent`. */
export interface PlacedTag extends Tag {
  path: string;
}

/** Lists all tags, each after its parent. */
export async function listTags(connection: Pick<Connection, "send">): Promise<PlacedTag[]> {
  const tags = await call(connection, "list_tags", {});
  const below = new Map<string | null, Tag[]>();
  for (const tag of tags) {
    const siblings = below.get(tag.parent_id);
    if (siblings === undefined) below.set(tag.parent_id, [tag]);
    else siblings.push(tag);
  }
  const placed = (parentId: string | null, way: string): PlacedTag[] =>
    (below.get(parentId) ?? []).flatMap((tag) => {
      const path = way + tag.name;
      return [{ ...tag, path }, ...placed(tag.id, `${path}/`)];
    });
  return placed(null, "");
}

/**
 * Finds a tag by its full path, name or ID.
 *
 * @throws {CliError} `notFound` for no match or several; lists the candidates.
 */
export async function findTag(named: string, connection: Pick<Connection, "send">): Promise<PlacedTag> {
  const tags = await listTags(connection);
  const wanted = named.normalize("NFC").trim();
  const exact = tags.find(({ id, path }) => id === named || path === wanted);
  if (exact !== undefined) return exact;
  const [only, ...others] = tags.filter(({ name }) => name === wanted);
  if (only === undefined) {
    throw new CliError(EXIT.notFound, `There is no tag "${visible(named)}"; session-cli tag list shows all.`);
  }
  if (others.length === 0) return only;
  const lines = [only, ...others].map(({ path, id }) => `  ${visible(path)}  ${id}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" is ambiguous; give the path or the id:`, lines);
}
