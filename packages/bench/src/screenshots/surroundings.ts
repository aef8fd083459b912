import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Service } from "../measure/service.ts";
import type { Home } from "./home.ts";

const SKILLS = {
  "release-notes": "Writes release notes from commits, for the people who use it.",
  "flaky-tests": "Finds out why a test fails now and then, by running it under load.",
  "sql-review": "Reviews migrations for locks, lost rows and ways back.",
};

const PROMPTS = {
  review: "Reviews what is staged, strictly: findings first, praise never.",
  explain: "Explains a file to somebody who is new to the project.",
};

const MODELS = {
  providers: {
    local: {
      baseUrl: "http://127.0.0.1:11434/v1",
      api: "openai-completions",
      apiKey: "none",
      models: [{ id: "qwen3-coder", name: "Qwen3 Coder", contextWindow: 131_072, maxTokens: 16_384 }],
    },
  },
};

const LOOK = "\u001b[34m~/lantern\u001b[0m \u001b[35mmain\u001b[0m \u001b[32m❯\u001b[0m";

/** What the terminal shows, as if somebody had typed it. */
const TERMINAL = `${LOOK} git log --oneline -4
\u001b[33m3f1c2aa\u001b[0m (\u001b[36mHEAD -> \u001b[32mmain\u001b[0m) Retry each part of an upload by itself
\u001b[33m90be71d\u001b[0m Close the decoder when a thumbnail fails
\u001b[33m5d0c6e2\u001b[0m Let thumbnails be cached for a week
\u001b[33m1a7f9b4\u001b[0m Count requests that are refused only once
${LOOK} npx vitest run src/uploads

\u001b[30;46m RUN \u001b[0m v4.1.12 \u001b[90m~/lantern\u001b[0m

 \u001b[32m✓\u001b[0m src/uploads/retry.test.ts \u001b[90m(6 tests)\u001b[0m \u001b[32m41ms\u001b[0m
 \u001b[32m✓\u001b[0m src/uploads/queue.test.ts \u001b[90m(11 tests)\u001b[0m \u001b[32m128ms\u001b[0m

\u001b[90m Test Files \u001b[0m \u001b[1;32m2 passed\u001b[0m \u001b[90m(2)\u001b[0m
\u001b[90m      Tests \u001b[0m \u001b[1;32m17 passed\u001b[0m \u001b[90m(17)\u001b[0m

${LOOK} `;

/** Writes what an agent's home holds beside sessions, and gives the program that the terminal runs. */
export function writeSurroundings({ folder }: Home): { shell: string } {
  const agent = join(folder, "agent");
  for (const [name, description] of Object.entries(SKILLS)) {
    mkdirSync(join(agent, "skills", name), { recursive: true });
    writeFileSync(
      join(agent, "skills", name, "SKILL.md"),
      `---\nname: ${name}\ndescription: ${description}\n---\n\n${description}\n`,
    );
  }
  mkdirSync(join(agent, "prompts"), { recursive: true });
  for (const [name, description] of Object.entries(PROMPTS)) {
    writeFileSync(join(agent, "prompts", `${name}.md`), `---\ndescription: ${description}\n---\n\n${description}\n`);
  }
  writeFileSync(join(agent, "models.json"), `${JSON.stringify(MODELS, null, 2)}\n`);
  const shown = join(folder, "terminal.txt");
  writeFileSync(shown, TERMINAL.replace(/\n$/, ""));
  const shell = join(folder, "zsh");
  writeFileSync(shell, `#!/bin/sh\ncat '${shown}'\nexec cat\n`);
  chmodSync(shell, 0o755);
  return { shell };
}

const TAGS = [
  {
    name: "Release",
    color: "#3b82f6",
    titles: ["Draft the release notes of 2.4", "Review the rate limiter before the release"],
  },
  {
    name: "Bugs",
    color: "#ef4444",
    titles: ["Find the leak in the thumbnail worker", "Keep the cursor where it was after a sync"],
  },
  { name: "Learned", color: "#10b981", titles: ["Explain the cache headers of the image proxy"] },
];

const FAVORITES = ["Find the leak in the thumbnail worker", "Write a migration for varieties with two names"];

/** Browsers that are notified while the page is closed, by nobody: this name is nowhere. */
const DEVICES = ["Firefox on Android", "Safari on iPhone"].map((name, place) => ({
  name,
  endpoint: `https://push.invalid/${place}`,
  p256dh: "BB4YUy_UdUwC8wQdnHXOszuD_9gax85P6ILMscmLxYlupGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM",
  auth: "BwcHBwcHBwcHBwcHBwcHBw",
}));

/** Between two looks whether all sessions are kept. */
const KEEPING_MS = 200;
const ARCHIVED = 12;
const DELETED = 2;

/** Tags, stars, archives and deletes sessions, saves keys, as somebody does in a year. */
export async function organise(service: Service, home: Home): Promise<void> {
  const pathOf = (title: string) => home.byTitle.get(title) ?? home.showcase;
  for (const { name, color, titles } of TAGS) {
    const { id } = (await service.command("create_tag", { name, color })) as { id: string };
    await service.command("assign_tag", { session_paths: titles.map(pathOf), tag_id: id });
    if (name === "Release") await service.command("assign_tag", { session_paths: [home.showcase], tag_id: id });
  }
  for (const title of FAVORITES) await service.toggleFavorite(pathOf(title));
  const old = (await service.command("list_sessions", {
    sort: "created",
    order: "asc",
    limit: ARCHIVED + DELETED,
  })) as {
    sessions: { path: string }[];
  };
  const paths = old.sessions.map(({ path }) => path);
  await service.command("archive_session", { paths: paths.slice(DELETED) });
  // What is not kept yet would not come back.
  while (((await service.command("get_vault_status", {})) as { pending: number }).pending > 0) await pause(KEEPING_MS);
  for (const path of paths.slice(0, DELETED)) await service.command("delete_session", { path });
  await service.command("save_budget", { day_usd: 5, week_usd: 20, month_usd: null });
  for (const device of DEVICES) await service.command("add_push_device", device);
  for (const name of ["phone", "backup"]) await service.command("create_token", { name, scope: "read" });
}
