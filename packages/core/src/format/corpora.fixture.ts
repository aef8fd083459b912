// A small session of each format, for other packages.

export { claudeCorpus } from "./claude-code/corpus.fixture.ts";
export { codexCorpus } from "./codex/corpus.fixture.ts";
export { piCorpus } from "./pi/corpus.fixture.ts";
