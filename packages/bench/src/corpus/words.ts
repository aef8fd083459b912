/** The words that English prose is mostly made of, the most frequent first. */
const FUNCTION_WORDS =
  `the to of and a in is it that for on this with as be not are we from by or if an at so can has have but when which
  was will all they there one then no do use only now also our more should would than into what its each how you any
  your same where does some after before just been out up first because let still other these most like two here
  already make new both over need without between while however instead again once every right them might could about
  must until their since very those such being far another though either whether against during along`.split(/\s+/);

/** What programmers write about; together with the function words the head of the vocabulary. */
export const NOUNS =
  `file error function test code line value type request session state server message user data path name index config
  module class result query list key string process event token object client version response cache build method
  option change input output field number record table field call stream thread worker buffer array branch commit
  handler schema package table service context entry command node route header body page timeout limit queue task job
  model connection database row column lock memory disk socket port host address folder project script target source
  parser reader writer encoder decoder buffer chunk offset cursor range length size count total average rate window
  frame layout view button form theme color icon menu dialog tab panel editor terminal prompt history log trace metric
  counter gauge histogram span alert rule policy role permission account password secret certificate signature hash
  digest cipher payload envelope channel topic subscriber publisher broker consumer producer partition replica shard
  leader follower election quorum snapshot checkpoint journal segment page block extent bitmap filter bloom tree leaf
  root parent child sibling edge vertex graph cycle walk visitor scope closure symbol literal operator expression
  statement grammar lexer compiler linker loader runtime sandbox plugin extension hook callback promise future signal
  semaphore mutex barrier pool arena allocator heap stack register instruction pipeline stage batch shuffle join
  aggregate projection predicate plan optimizer executor transaction isolation rollback migration fixture mock stub
  assertion coverage benchmark profile sample baseline regression release tag artifact registry manifest bundle image
  container volume network gateway proxy balancer ingress cluster deployment replica daemon cron schedule invoice order
  cart price discount customer product catalog shipment warehouse payment refund ledger balance currency locale
  translation calendar reminder contact profile avatar comment thread feed notification subscription plan quota`.split(
    /\s+/,
  );

export const VERBS =
  `get set load save read write parse format build create update delete find search list count add remove insert append
  merge split join map filter reduce sort group open close start stop run check validate resolve reject fetch send
  receive push pull encode decode encrypt decrypt sign verify hash compress expand render draw paint measure layout
  register dispatch emit listen watch notify schedule cancel retry commit restore backup migrate convert transform
  normalize compare match replace apply revert lock release acquire flush reset init configure connect disconnect bind
  attach detach mount serve handle process collect scan walk visit track trace report print export import`.split(/\s+/);

const ADJECTIVES =
  `missing wrong empty stale pending invalid unknown unexpected duplicate optional required default local remote global
  public private internal external active idle current previous next last final initial partial complete raw plain
  strict lazy eager async slow fast large small long short deep flat nested shared unique stable safe correct broken
  flaky simple clean redundant obsolete explicit implicit consistent concurrent parallel sequential atomic durable
  readable writable visible hidden relative absolute canonical`.split(/\s+/);

/** Words of several syllables that no dictionary has: names of products, people and internal systems. */
export function coinedWord(index: number): string {
  const onsets = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st", "tr"];
  const vowels = ["a", "e", "i", "o", "u", "ia", "eo", "ou"];
  let word = "";
  // Every syllable takes seven bits; the multiplication spreads neighbours over the alphabet.
  for (let rest = Math.imul(index + 1, 0x5bd1e995) >>> 11; word === "" || rest > 0; rest = Math.floor(rest / 128)) {
    word += `${onsets[rest % 16] ?? ""}${vowels[(rest >> 4) % 8] ?? ""}`;
  }
  return `${word}n`;
}

function inflected(verb: string): string[] {
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb;
  return [`${stem}ed`, `${stem}ing`, `${verb}s`, `${stem}er`];
}

const COINED_WORDS = 9_000;

/** Every word of prose once, by rank: frequencies follow the order. */
export const VOCABULARY: readonly string[] = [
  ...new Set([
    ...FUNCTION_WORDS,
    ...NOUNS.slice(0, 120),
    ...VERBS,
    ...ADJECTIVES,
    ...NOUNS,
    ...VERBS.flatMap(inflected),
    ...NOUNS.map((noun) => `${noun}s`),
    ...Array.from({ length: COINED_WORDS }, (_, index) => coinedWord(index)),
  ]),
];

/** Words so frequent that nearly every session has them. */
export const COMMON_WORDS: readonly string[] = VOCABULARY.slice(0, 200);
