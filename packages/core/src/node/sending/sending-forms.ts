import { createHash, createHmac } from "node:crypto";
import { homedir } from "node:os";
import { LineRedactor } from "../../export/redact/line-redactor.ts";
import { isPacked } from "../session-file/session-file-name.ts";
import type { SendingForm } from "./batch-filling.ts";
import { readBytes } from "./file-content.ts";
import { readLines, readText } from "./redacted-content.ts";
import type { Redaction } from "./sending-tasks.ts";

/** What belongs to a session is redacted as a whole. */
const LONGEST_TEXT = 2 * 1024 * 1024;
/** Another one: what was sent before is sent anew. */
const RULES_VERSION = 1;

const AS_IT_IS: SendingForm = {
  rules: "",
  reader: () => ({ readPart: readBytes, isWhole: false }),
  path: (path) => path,
  text: (text) => text,
};

/** The forms that sessions are sent in. */
export class SendingForms {
  readonly #key: Buffer;
  #redacted: { words: string; byProject: Map<string | null, SendingForm> } | null = null;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** @param project of the session: whose home it is in. */
  of(redaction: Redaction, project: string | null): SendingForm {
    if (redaction === null) return AS_IT_IS;
    const words = JSON.stringify(redaction.words);
    if (this.#redacted?.words !== words) this.#redacted = { words, byProject: new Map() };
    const { byProject } = this.#redacted;
    const known = byProject.get(project);
    if (known !== undefined) return known;
    const form = this.#redactedForm(redaction.words, project);
    byProject.set(project, form);
    return form;
  }

  #redactedForm(words: readonly string[], project: string | null): SendingForm {
    const numberOf = (type: string, value: string) => this.#numberOf(type, value);
    const home = homedir();
    const own = new LineRedactor({ words, paths: project === null ? [home] : [home, project], numberOf });
    // A path is the same in every session that names it.
    const paths = new LineRedactor({ words, paths: [home], numberOf });
    const hash = createHash("sha256")
      .update(JSON.stringify([RULES_VERSION, words]))
      .digest("hex");
    return {
      rules: hash.slice(0, 16),
      reader({ owner, path }, size) {
        if (owner !== null)
          return size > LONGEST_TEXT ? null : { readPart: readText((text) => own.text(text)), isWhole: true };
        return isPacked(path) ? null : { readPart: readLines((line) => own.line(line)), isWhole: false };
      },
      path: (path) => paths.text(path),
      text: (text) => own.text(text),
    };
  }

  /** Without the key, nobody can try values. */
  #numberOf(type: string, value: string): number {
    return createHmac("sha256", this.#key).update(`${type} ${value}`).digest().readUInt32BE() % 1_000_000_000;
  }
}
