import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { SignIns, type SignInTerms } from "./sign-ins.ts";
import { TokenDirectory } from "./token-directory.ts";
import { userStateOf } from "./user-state.ts";
import { Users } from "./users.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const ISSUER = "https://id.example.com";

describe.runIf(needsPostgres())("signing in on several servers", () => {
  let postgres: PostgresServer;
  const servers: { database: PostgresDatabase; tokens: TokenDirectory; signIns: SignIns; users: Users }[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres.newDatabase();
    for (let count = 0; count < 2; count += 1) {
      const database = await PostgresDatabase.open({ url, log });
      const tokens = new TokenDirectory(database, { url, log });
      await tokens.refresh();
      servers.push({ database, tokens, signIns: new SignIns(database, tokens), users: new Users(database) });
    }
  });

  afterAll(async () => {
    for (const { tokens, database } of servers) {
      await tokens.close();
      await database.close();
    }
    await postgres.close();
  });

  const at = (index: number) => servers[index] as (typeof servers)[number];
  const soon = (ms: number) => new Date(Date.now() + ms);
  const signIn = (subject: string, name: string, terms: Partial<SignInTerms> = {}, server = 0, issuer = ISSUER) =>
    at(server).signIns.complete(
      { issuer, subject, name },
      { newRole: "member", role: null, tokenName: "t", expiresAt: soon(60_000), idToken: null, ...terms },
    );
  const userOf = (id: string) => at(0).users.find(id);

  it("finds the same user by issuer and subject, whatever they are called now", async () => {
    const first = await signIn("1", "ada");
    expect(first).toMatchObject({ isNew: true, staysOwner: false });
    const again = await signIn("1", "Ada Lovelace", {}, 1);
    expect(again).toMatchObject({ isNew: false, userId: first.userId });
    expect(await userOf(first.userId)).toMatchObject({ name: "ada", role: "member" });
    const grant = at(0).tokens.verify(first.token);
    expect(grant).toMatchObject({ userId: first.userId, scope: "full" });
    const elsewhere = await signIn("1", "ada", {}, 0, "https://other.example.com");
    expect(elsewhere.userId).not.toBe(first.userId);
  });

  it("gives nobody the name, nor the sessions, of somebody else", async () => {
    const given = await at(0).users.create("grace", "owner");
    const others = [await signIn("2", "grace"), await signIn("3", "GRACE"), await signIn("4", "Grace")];
    const ids = others.map(({ userId }) => userId);
    expect(new Set([given.id, ...ids]).size).toBe(4);
    const names = await Promise.all(ids.map(async (id) => (await userOf(id))?.name));
    expect(names).toEqual(["grace (2)", "GRACE (3)", "Grace (4)"]);
  });

  it("makes one user of somebody who signs in at both servers at once", async () => {
    const all = await Promise.all([0, 1, 0, 1].map((server) => signIn("5", "ida", {}, server)));
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(1);
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it("takes what comes back once", async () => {
    const taken = await Promise.all([0, 1, 0, 1].map((server) => at(server).signIns.take("state")));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await at(0).signIns.take("other")).toBe(true);
  });

  it("has one secret on all servers", async () => {
    const secret = await at(0).signIns.secret();
    expect(secret).toHaveLength(32);
    expect(await at(1).signIns.secret()).toEqual(secret);
  });

  it("ends tokens of sign-ins only, and those that have expired are gone with the next sign-in", async () => {
    const { userId, token } = await signIn("6", "joan", { expiresAt: soon(200), idToken: "id" });
    const state = userStateOf(userId, { database: at(0).database, tokens: at(0).tokens, log });
    const given = await state.tokens.create({ name: "laptop", scope: "full", expires_at: null });
    expect(await at(0).signIns.end(given.id)).toBeNull();
    await vi.waitFor(() => expect(at(0).tokens.verify(token)).toBeNull(), 2_000);
    const next = await signIn("6", "joan", { idToken: "id" });
    expect(await state.tokens.list()).toHaveLength(2);
    const { id = "" } = at(0).tokens.verify(next.token) ?? {};
    const ended = vi.fn();
    await vi.waitFor(() => expect(at(1).tokens.verify(next.token)).not.toBeNull(), 2_000);
    at(1).tokens.onEnd(id, ended);
    expect(await at(0).signIns.end(id)).toEqual({ idToken: "id" });
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), 2_000);
    expect(await state.tokens.list()).toMatchObject([{ name: "laptop" }]);
  });

  it("gives the role that the provider says, at once for tokens that there are, but keeps the last owner", async () => {
    const { userId, token } = await signIn("7", "kay", { role: "reader" });
    const { id = "" } = at(0).tokens.verify(token) ?? {};
    await vi.waitFor(() => expect(at(1).tokens.ownerOf(id)?.role).toBe("reader"), 2_000);
    await signIn("7", "kay", { role: "owner" });
    await vi.waitFor(() => expect(at(1).tokens.ownerOf(id)?.role).toBe("owner"), 2_000);
    expect(await signIn("7", "kay", { role: "member" })).toMatchObject({ staysOwner: false });
    expect(await userOf(userId)).toMatchObject({ role: "member" });
    // Without a word of the provider it stays as it is.
    await signIn("7", "kay", { newRole: "reader" });
    expect(await userOf(userId)).toMatchObject({ role: "member" });
    await signIn("7", "kay", { role: "owner" });
    await at(0).users.remove(await at(0).users.named("grace"));
    expect(await signIn("7", "kay", { role: "reader" })).toMatchObject({ userId, staysOwner: true });
    expect(await userOf(userId)).toMatchObject({ role: "owner" });
  });

  it("can become that of a user who had tokens only", async () => {
    const { users } = at(0);
    const given = await users.create("lin", "member");
    const first = await signIn("8", "lin");
    const other = await userOf(first.userId);
    if (other === null) throw new Error("There is no such user.");
    await users.link(other, given);
    expect(await signIn("8", "lin")).toMatchObject({ userId: given.id, isNew: false });
    await vi.waitFor(() => expect(at(1).tokens.verify(first.token)).toBeNull(), 2_000);
    await expect(users.link(other, given)).rejects.toMatchObject({ code: "CONFLICT" });
    const details = (await users.details()).find(({ name }) => name === "lin");
    expect(details).toEqual({
      ...given,
      issuers: [ISSUER],
      tokens: 0,
      last_seen_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });
});
