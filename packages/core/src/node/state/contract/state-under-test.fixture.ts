import { randomUUID } from "node:crypto";
import type { SessionIdentity, UserState } from "../ports.ts";

/** A user state under test, empty before each test. */
export interface StateUnderTest {
  readonly state: UserState;
  /** As after a restart of the program. */
  reopen(): Promise<void>;
  /** Another one, empty too; closed by the caller. */
  another(): Promise<UserState>;
}

/** Gives a session tags, which are named like their ids and made where they are missing. */
export async function tag({ state }: StateUnderTest, session: SessionIdentity, ...ids: string[]): Promise<void> {
  const tree = await state.tags.list();
  const missing = ids.filter((id) => !tree.some((known) => known.id === id));
  const tags = [...tree, ...missing.map((id) => ({ id, name: id, color: "#00ff00", parent_id: null }))];
  const change = { versionId: randomUUID(), origin: "test", bundle: {}, tags, values: {} };
  if (missing.length > 0) await state.configuration.change(change, () => undefined);
  for (const id of ids) await state.tags.assign([session], id);
}
