import type { Detector } from "./finding.ts";
import { isStandIn } from "./likeness.ts";

/** A shell word, quoted or not; its group is the word without quotes. */
const WORD =
  "(?:\\\\{0,15}[\"'`])?((?<=[\"'`])[^\"'`\\\\\\r\\n]{1,256}(?=\\\\{0,15}[\"'`])|[^\\s\"'`\\\\|;&<>()]{1,256})";
/** Separator between an option and its value; also in a list of arguments. */
const GAP = "(?:[ \\t]+|=|\\\\{0,15}[\"'][ \\t]*,[ \\t]*)";

/** A pattern that ends with the secret as its last group. */
const option = (names: string, value = WORD) => new RegExp(`(?<![\\w-])(?:${names})${value}`, "g");
const USER_AND_PASSWORD =
  "(?:\\\\{0,15}[\"'`])?[^\\s:\"'`\\\\]{1,64}[:,%]((?<=[\"'`][^\\s:\"'`\\\\]{1,64}[:,%])[^\"'`\\\\\\r\\n]{1,256}(?=\\\\{0,15}[\"'`])|[^\\s\"'`\\\\|;&<>()]{1,256})";

/** Programs with a password argument that is not named so. */
const PROGRAMS: readonly [names: string, secret: RegExp][] = [
  ["curl", option(`-[A-Za-z]{0,8}[uU](?:${GAP})?|--(?:proxy-)?user${GAP}`, USER_AND_PASSWORD)],
  ["https?(?=[ \\t])|xhs?", option(`(?:-a|--auth)${GAP}`, USER_AND_PASSWORD)],
  ["lftp|smbclient|rpcclient", option(`(?:-[uU]|--user)${GAP}`, USER_AND_PASSWORD)],
  ["(?:mysql|mariadb)(?:dump|admin|import|show|check|-dump|-admin)?|mycli|mytop", option("-p")],
  ["sshpass", option("-p[ \\t]*")],
  ["redis-cli|valkey-cli", option(`-a${GAP}`)],
  ["ldap(?:search|add|modify|delete|whoami)", option(`-w${GAP}`)],
  ["mongo(?:sh|dump|restore|import|export)?", option(`-p${GAP}`)],
  ["(?:docker|podman|nerdctl|buildah|skopeo|oras|oc|az|helm registry)[ \\t]+login", option(`-p${GAP}`)],
  ["sqlcmd|bcp|osql|mssql-cli", option("-P[ \\t]*")],
  ["7z[ar]?|rar|unrar", option("-p")],
  ["zip|unzip", option("-P[ \\t]*")],
  ["openssl", option("-pass(?:in|out)?[ \\t]+\\\\{0,15}[\"']?pass:")],
  ["xfreerdp3?|wfreerdp", option("/p:")],
  ["htpasswd", option("-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \\t]+[^\\s-]\\S{0,255}[ \\t]+\\S{1,64}[ \\t]+")],
  ["net[ \\t]+user", option("(?<=user[ \\t]+\\S{1,64}[ \\t]+)(?!/)")],
];

/** The groups identify the program. */
const NAMES = new RegExp(
  `(?<![\\w@.-])(?:${PROGRAMS.map(([names]) => `(${names})`).join("|")})(?:\\.exe)?(?=[ \\t"'\\\\])`,
  "g",
);

/** Characters examined after the program's name. */
const MAX_COMMAND_LENGTH = 1024;
/** End of a command; a backslash continues it on the next line. */
const COMMAND_END = /(?<!\\)\r?\n|\|\|?|;|&&/;
/** Ports and user IDs are numbers. */
const NUMBERS = /^(?:\d{1,5}|[\d.:]+)$/;
const SHORTEST = 3;

/** Finds passwords in single-letter options of programs, such as `curl -u user:password`. */
export const findCommandPasswords: Detector = (text, report) => {
  /** How far the arguments of each program were examined, so that each position is examined once. */
  const seen = PROGRAMS.map(() => 0);
  NAMES.lastIndex = 0;
  for (let match = NAMES.exec(text); match !== null; match = NAMES.exec(text)) {
    const which = match.findIndex((group, place) => place > 0 && group !== undefined) - 1;
    const [, secret] = PROGRAMS[which] ?? [];
    const start = match.index;
    if (secret === undefined || start < (seen[which] ?? 0)) continue;
    const window = text.slice(start, start + MAX_COMMAND_LENGTH);
    const end = window.search(COMMAND_END);
    const command = end === -1 ? window : window.slice(0, end);
    seen[which] = start + command.length;
    secret.lastIndex = 0;
    for (let found = secret.exec(command); found !== null; found = secret.exec(command)) {
      const value = found.at(-1) ?? "";
      if (value.length < SHORTEST || isStandIn(value) || NUMBERS.test(value)) continue;
      report(start + secret.lastIndex - value.length, start + secret.lastIndex, "secret");
    }
  }
};
