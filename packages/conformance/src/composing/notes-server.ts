import { join } from "node:path";
import { openLibrary, openUserState } from "@sm/core/node";
import { command, commands, createDispatcher, createExportTickets, createRegistry } from "@sm/router";
import { accessRules, createGate } from "@sm/router/access";
import { serveHttp } from "@sm/transport-http";
import * as v from "valibot";

/** What the commands of this server use beside the sessions. */
interface NoteServices {
  notes: Map<string, string>;
}

const noteCommands = {
  set_note: command({
    summary: "Keeps a note about a session.",
    access: "write",
    input: v.strictObject({ path: v.string(), text: v.string() }),
    output: v.strictObject({ path: v.string(), text: v.string() }),
    run: async ({ path, text }, { notes }: NoteServices) => {
      notes.set(path, text);
      return { path, text };
    },
  }),
  list_notes: command({
    summary: "Lists the notes.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(v.strictObject({ path: v.string(), text: v.string() })),
    run: async (_input, { notes }: NoteServices) => [...notes].map(([path, text]) => ({ path, text })),
  }),
};

/** Serves the sessions of an agent's home, `~/.pi` for example, and notes about them. */
export async function startNotesServer(agentHome: string, dataDir: string, port: number) {
  const log = { info() {}, warn: console.warn, error: console.error };
  const state = openUserState({ dataDir, log });
  const agentDir = join(agentHome, "agent");
  const library = await openLibrary({ agentHome, agentDir, sessionPaths: [], dataDir, state, log });
  const registry = createRegistry([noteCommands, { list_sessions: commands.list_sessions }]);
  const dispatcher = createDispatcher({ sessions: library, notes: new Map() }, { registry, log });
  const names = { allowedHosts: [], allowedOrigins: [], trustedProxies: [], machineName: "localhost" };
  const gate = createGate({ rules: accessRules({ authEnabled: true, ...names }), tokens: state.tokens });
  const exportTickets = createExportTickets(library);
  const http = await serveHttp(
    { dispatcher, sessions: library, exportTickets, gate, version: "1.0.0", log },
    { port, host: "127.0.0.1" },
  );
  const close = async () => {
    await http.close();
    await library.close();
    await state.close();
  };
  return { url: http.url, close };
}
