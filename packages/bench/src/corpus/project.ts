import { type CodeLanguage, codeFile, EXTENSIONS } from "./code.ts";
import { domainNouns, inventName, type Name } from "./name.ts";
import { mixSeed, Random } from "./random.ts";
import { Topic, words } from "./topic.ts";
import { coinedWord } from "./words.ts";

/** A working directory with its source files: sessions read and edit the same files again and again. */
export interface Project {
  cwd: string;
  language: CodeLanguage;
  /** The words that its names are made of. */
  nouns: string[];
  names: Name[];
  files: SourceFile[];
  commits: string[];
  /** What its logs and tests say. */
  phrases: string[];
}

export interface SourceFile {
  path: string;
  lines: string[];
}

const LANGUAGES: CodeLanguage[] = ["typescript", "typescript", "typescript", "python", "go"];
const NAMES = 1_400;
const COMMITS = 250;
const PHRASES = 400;

export function createProject(seed: number, index: number): Project {
  const random = new Random(mixSeed(seed, 0x70726f6a, index));
  const nouns = domainNouns(random);
  const language = random.pick(LANGUAGES);
  const names = Array.from({ length: NAMES }, () => inventName(random, nouns));
  const folders = Array.from({ length: 8 }, () => random.pick(nouns));
  const paths = Array.from(
    { length: random.between(30, 70) },
    () => `src/${random.pickSkewed(folders)}/${random.pick(names).kebab}.${EXTENSIONS[language]}`,
  );
  const commits = Array.from({ length: COMMITS }, () => random.hex(7));
  const phrases = Array.from({ length: PHRASES }, () => words(random, random.between(3, 7)));
  const topic = new Topic({ random, shared: names, own: [], paths, phrases, ids: [random.hex(8)], commits, time: 0 });
  const files = paths.map((path) => ({ path, lines: codeFile(topic, language, random.between(40, 500)) }));
  const cwd = `/home/dev/code/${coinedWord(index)}-${random.pick(nouns)}`;
  return { cwd, language, nouns, names, files, commits, phrases };
}
