import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Conversation } from "./conversation.ts";
import type { Decoy } from "./decoy.ts";
import { inventName } from "./name.ts";
import { EXPECTED, type Needle } from "./needle.ts";
import { type CorpusParameters, planCorpus, type SessionPlan } from "./plan.ts";
import { createProject, type Project } from "./project.ts";
import { mixSeed, Random } from "./random.ts";
import { sessionPath } from "./session-files.ts";
import { SessionWriter } from "./session-writer.ts";
import { Topic } from "./topic.ts";

/** Raise it with every change of what is generated, so that no cached corpus of an older shape is measured. */
const GENERATOR_VERSION = 2;
const IDS_PER_SESSION = 25;
const NAMES_PER_SESSION = 20;

/** What a corpus holds. */
export interface CorpusManifest {
  parameters: CorpusParameters;
  sessions: number;
  entries: number;
  bytes: number;
  /** UTF-8 bytes of all texts that a search has to cover. */
  textBytes: number;
}

export interface Corpus {
  /** What `--agent-home` takes. */
  agentHome: string;
  manifest: CorpusManifest;
  needles: Needle[];
  /** Texts that must not be found. */
  decoys: Decoy[];
  /** Seconds that generating took, `null` where an earlier run had done it. */
  generatedIn: number | null;
}

/** Generates the corpus in the temporary directory, or takes the one that an earlier run left there. */
export function openCorpus(parameters: CorpusParameters): Corpus {
  const key = JSON.stringify([GENERATOR_VERSION, parameters]);
  const directory = join(
    tmpdir(),
    `session-manager-bench-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`,
  );
  let generatedIn: number | null = null;
  if (!existsSync(manifestPath(directory))) {
    rmSync(directory, { recursive: true, force: true });
    const start = performance.now();
    generateCorpus(directory, parameters);
    generatedIn = (performance.now() - start) / 1000;
  }
  return { ...readCorpus(directory), generatedIn };
}

function readCorpus(directory: string): Omit<Corpus, "generatedIn"> {
  return {
    agentHome: join(directory, "home"),
    manifest: JSON.parse(readFileSync(manifestPath(directory), "utf8")) as CorpusManifest,
    needles: JSON.parse(readFileSync(join(directory, "needles.json"), "utf8")) as Needle[],
    decoys: JSON.parse(readFileSync(join(directory, "decoys.json"), "utf8")) as Decoy[],
  };
}

function manifestPath(directory: string): string {
  return join(directory, "manifest.json");
}

/**
 * Writes session files below `<directory>/home`, `needles.json`, `decoys.json`, and last of all `manifest.json`, whose
 * presence says that the rest is complete. The same parameters give the same bytes.
 */
export function generateCorpus(directory: string, parameters: CorpusParameters): void {
  const manifest: CorpusManifest = { parameters, sessions: 0, entries: 0, bytes: 0, textBytes: 0 };
  const needles: Needle[] = [];
  const decoys: Decoy[] = [];
  const projects = new Map<number, Project>();
  for (const plan of planCorpus(parameters)) {
    const project = projects.get(plan.project) ?? createProject(parameters.seed, plan.project);
    projects.set(plan.project, project);
    const { path, hidden, writer } = writeSession(join(directory, "home"), plan, project, parameters.seed);
    manifest.sessions++;
    manifest.entries += writer.entries;
    manifest.bytes += writer.bytes;
    manifest.textBytes += writer.textBytes;
    if (plan.needle !== null && hidden !== null) {
      needles.push({ ...plan.needle, ...EXPECTED[plan.needle.place], path, entryId: hidden, cwd: project.cwd });
    }
    if (plan.decoy !== null) decoys.push(plan.decoy);
  }
  writeFileSync(join(directory, "needles.json"), JSON.stringify(needles, null, 1));
  writeFileSync(join(directory, "decoys.json"), JSON.stringify(decoys, null, 1));
  writeFileSync(manifestPath(directory), JSON.stringify(manifest, null, 1));
}

function writeSession(
  agentHome: string,
  plan: SessionPlan,
  project: Project,
  seed: number,
): { path: string; hidden: string | null; writer: SessionWriter } {
  const random = new Random(mixSeed(seed, 0x73657373, plan.index));
  const header = { id: uuidAt(plan.startedAt, random), cwd: project.cwd, startedAt: plan.startedAt };
  const path = sessionPath(header);
  mkdirSync(dirname(join(agentHome, path)), { recursive: true });
  const topic = new Topic({
    random,
    shared: project.names,
    own: Array.from({ length: NAMES_PER_SESSION }, () => inventName(random, project.nouns)),
    paths: project.files.map((file) => file.path),
    ids: Array.from({ length: IDS_PER_SESSION }, () => random.hex(8)),
    commits: project.commits,
    phrases: project.phrases,
    time: plan.startedAt,
  });
  const writer = new SessionWriter(join(agentHome, path), header, random);
  const hidden = new Conversation(plan, project, topic, writer).play();
  writer.close();
  return { path, hidden, writer };
}

/** A UUID of version 7, as the agent makes them. */
function uuidAt(time: number, random: Random): string {
  const stamp = time.toString(16).padStart(12, "0");
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
}
