import { basename, dirname } from "node:path";

/** What a filter by words looks at. */
interface FilteredSession {
  path: string;
  /** Working directory. */
  project: string | null;
  id: string;
  title: string;
  /** Text of the first message. */
  first: string | null;
}

/**
 * What the words of a list's filter look at, in lower case, in memory. Directories, of which there are few, are kept and
 * looked through once: with all paths the texts would be twice as long.
 */
export class FilterWords {
  /** By session. */
  readonly #texts: string[] = [];
  readonly #directoryOf: number[] = [];
  /** Working directory and directory of the file. */
  readonly #directories: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** @param session its number, from 0 on without gaps. */
  set(session: number, { path, project, id, title, first }: FilteredSession): void {
    const name = basename(path);
    // The title mostly is the beginning of the first message.
    const texts = first?.startsWith(title) === true ? [first] : [title, first ?? ""];
    const own = [...texts, `/${name}`, name.includes(id) ? "" : id];
    // A copy: else all of the joined pieces stay in memory.
    this.#texts[session] = Buffer.from(own.join("\n").toLowerCase()).toString();
    this.#directoryOf[session] = this.#directory(`${project ?? ""}\n${dirname(path)}/`.toLowerCase());
  }

  /** Makes a test for a session's number: whether every word of a query is in what is looked at. */
  matching(query: string): (session: number) => boolean {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    // The longest is the rarest, mostly.
    const tests = words.sort((a, b) => b.length - a.length).map((word) => this.#containing(word));
    return (session) => tests.every((test) => test(session));
  }

  #containing(word: string): (session: number) => boolean {
    const isInDirectory = this.#directories.map((text) => text.includes(word));
    const contains = (session: number) =>
      this.#texts[session]?.includes(word) === true || isInDirectory[this.#directoryOf[session] ?? 0] === true;
    // A word may begin in a directory and end in the name of the file.
    const slash = word.lastIndexOf("/");
    if (slash <= 0 || slash === word.length - 1) return contains;
    const nameStart = `\n${word.slice(slash)}`;
    const endsDirectory = this.#directories.map((text) => text.endsWith(word.slice(0, slash + 1)));
    return (session) =>
      contains(session) ||
      (endsDirectory[this.#directoryOf[session] ?? 0] === true && this.#texts[session]?.includes(nameStart) === true);
  }

  #directory(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#directories.length);
    return this.#directories.push(text) - 1;
  }
}
