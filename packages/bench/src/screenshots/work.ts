/** What somebody has invented to work on. */
export interface Task {
  project: string;
  title: string;
  question: string;
  answer: string;
}

/** Folders of the projects, the one that is worked on most first. */
export const PROJECTS = ["lantern", "tidewater", "fieldnotes", "orchard-api", "dotfiles"] as const;

/** Small tasks of the last months, which are told again and again. */
export const TASKS: readonly Task[] = [
  {
    project: "lantern",
    title: "Explain the cache headers of the image proxy",
    question: "Why does the image proxy send `no-store` for thumbnails?",
    answer:
      "Thumbnails inherit the header of their original, which is private. `thumbnail.ts` can send `public, max-age=604800` instead: their address holds a hash of the content, so nobody is shown an old one.",
  },
  {
    project: "tidewater",
    title: "Make the tide chart readable on a phone",
    question: "The labels of the tide chart overlap below 400 px. Can we thin them out?",
    answer:
      "Yes: I keep every third label below 420 px and let the axis decide where there is room. The curve itself stays as it was.",
  },
  {
    project: "fieldnotes",
    title: "Import notes from plain Markdown folders",
    question: "Add an importer for a folder of Markdown files with front matter.",
    answer:
      "`importFolder()` reads the folder in order, takes title and tags from the front matter, and reports what it could not read instead of stopping.",
  },
  {
    project: "orchard-api",
    title: "Paginate the harvest endpoint with cursors",
    question: "Harvests are paged by offset, and rows are lost when one is added. Use cursors.",
    answer:
      "The endpoint takes `cursor` now, made of the date and the id of the last row. The old `offset` still works and is marked as deprecated in the schema.",
  },
  {
    project: "lantern",
    title: "Find the leak in the thumbnail worker",
    question: "The worker grows by 40 MB an hour. Find out why.",
    answer:
      "Every job keeps its decoder: `close()` was only called when it failed. With a `finally` the heap stays at 62 MB after 5,000 jobs.",
  },
  {
    project: "tidewater",
    title: "Replace moment with Intl.DateTimeFormat",
    question: "We only format dates. Can moment go?",
    answer: "It can: three formats are used, and all of them exist in `Intl`. The bundle is 58 KB smaller.",
  },
  {
    project: "dotfiles",
    title: "Speed up the start of the shell",
    question: "My shell needs half a second to start. What takes so long?",
    answer:
      "Completion is built on every start, 310 ms of 480. I cache it for a day and load the version manager lazily.",
  },
  {
    project: "orchard-api",
    title: "Write a migration for varieties with two names",
    question: "Some varieties have a regional name as well. Make room for it.",
    answer:
      "The migration adds a table of names with a language, moves the present ones there, and keeps a view with the old shape for the reports.",
  },
  {
    project: "fieldnotes",
    title: "Keep the cursor where it was after a sync",
    question: "After each sync the cursor jumps to the end of the note.",
    answer:
      "The editor was given a new document each time. It is given the difference now, so the cursor moves with its text.",
  },
  {
    project: "lantern",
    title: "Review the rate limiter before the release",
    question: "Please review src/limit before we release it. Be strict.",
    answer:
      "Two findings. The window is reset by a request that is refused, so one who keeps asking is never let in again. And the key holds the port, so each connection has a limit of its own.",
  },
  {
    project: "tidewater",
    title: "Draft the release notes of 2.4",
    question: "Draft release notes from the commits since 2.3, for people who sail.",
    answer: "Tides for 212 more harbours, a chart that can be read on a phone, and warnings that say when they end.",
  },
  {
    project: "fieldnotes",
    title: "Test the offline queue with a flaky network",
    question: "Write a test in which every second request fails.",
    answer: "It is there, with a seeded network: 200 notes, every second request fails, and all of them arrive once.",
  },
];

const VERBS = ["Explain", "Simplify", "Test", "Review", "Speed up", "Document", "Tidy up", "Find the bug in"] as const;

const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  lantern: ["the upload queue", "the image proxy", "the rate limiter", "the thumbnail worker", "the signed links"],
  tidewater: ["the tide chart", "the harbour search", "the warnings", "the moon phases", "the offline maps"],
  fieldnotes: ["the sync", "the importer", "the editor's shortcuts", "the tag index", "the drawing tool"],
  "orchard-api": ["the harvest endpoint", "the migrations", "the yearly report", "the login", "the variety names"],
  dotfiles: ["the prompt", "the completion", "the editor setup", "the backup script"],
};

/** Gives a small task of a project another title: nobody does the same for a year. */
export function titleOf(project: string, pick: <Value>(values: readonly Value[]) => Value): string {
  return `${pick(VERBS)} ${pick(SUBJECTS[project] ?? ["the rest"])}`;
}
