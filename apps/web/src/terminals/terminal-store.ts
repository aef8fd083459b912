import { onThemeChange } from "../appearance/theme.ts";
import type { Service } from "../client/service.ts";
import type { ListedTerminal } from "../client/terminals.ts";
import { TerminalSession } from "./terminal-session.ts";

/** The terminals of the service in this page. They stay while other screens are looked at. */
export class TerminalStore {
  readonly #service: Service;
  readonly #sessions = new Map<string, TerminalSession>();

  constructor(service: Service) {
    this.#service = service;
    onThemeChange(() => {
      for (const session of this.#sessions.values()) session.setTheme();
    });
  }

  /** Gives a terminal, which is attached to when it is first asked for. */
  session(listed: ListedTerminal): TerminalSession {
    const known = this.#sessions.get(listed.id);
    if (known !== undefined) return known;
    const made = new TerminalSession(this.#service, listed);
    this.#sessions.set(listed.id, made);
    return made;
  }

  /** Attaches to all that there are, and forgets the others. */
  keep(listed: readonly ListedTerminal[]): void {
    for (const one of listed) this.session(one);
    const ids = new Set(listed.map(({ id }) => id));
    for (const [id, session] of this.#sessions) {
      if (ids.has(id)) continue;
      this.#sessions.delete(id);
      session.dispose();
    }
  }
}

const stores = new WeakMap<Service, TerminalStore>();

/** The terminals of a service, the same for as long as the page is there. */
export function terminalStoreOf(service: Service): TerminalStore {
  const known = stores.get(service);
  if (known !== undefined) return known;
  const made = new TerminalStore(service);
  stores.set(service, made);
  return made;
}
