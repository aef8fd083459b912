import { type CodeLanguage, codeBlock } from "./code.ts";
import { type Topic, templates } from "./topic.ts";

const REQUESTS = templates(`
can you look at $f and tell me why $c returns $w when $m?
The test for \`$p\` fails with "$m", please fix it.
add a $w option to $c so that $m
we need to rename \`$c\` to \`$c\` everywhere, also in $f
run the tests and fix whatever breaks in $f
why does $p $m? I expected $m
please write a migration for $s and $s, then $m
refactor $f: $m, and move $p into a file of its own
`);

const STATEMENTS = templates(`
Let me look at \`$f\` first.
Now I'll update \`$c\` in \`$f\` so that $m.
The problem is in \`$p\`: it $m before $m.
I'll run the tests for \`$f\` again.
\`$c\` is called from $n places, and only \`$f\` checks \`$k\`.
That confirms it: \`$c\` returns $w when \`$s\` is $w.
All $n tests pass now.
`);

const THOUGHTS = templates(`
The user wants $m, so I should check \`$c\` in $f first.
Wait, $p already does $m; maybe the $w is in $c instead.
If $c is $w then $m, but $m.
I need to be careful: $m, and \`$k\` is $n.
Let me think about $m.
`);

/** A sentence of plain words, now and then with a name from the code. */
function plainSentence(topic: Topic): string {
  const { random } = topic;
  const count = random.between(6, 20);
  let text = topic.word();
  text = text.charAt(0).toUpperCase() + text.slice(1);
  for (let index = 1; index < count; index++) {
    if (index > 2 && random.chance(0.08)) text += ",";
    text += random.chance(0.06) ? ` \`${topic.name().camel}\`` : ` ${topic.word()}`;
  }
  return `${text}.`;
}

function paragraph(topic: Topic, stock: ReturnType<typeof templates>, sentences: number): string {
  const { random } = topic;
  return Array.from({ length: sentences }, () =>
    random.chance(0.35) ? topic.fill(random.pick(stock)) : plainSentence(topic),
  ).join(" ");
}

/** What somebody asks of the agent. */
export function request(topic: Topic): string {
  const text = topic.fill(topic.random.pick(REQUESTS));
  return topic.random.chance(0.4) ? `${text} ${paragraph(topic, REQUESTS, topic.random.between(1, 4))}` : text;
}

export function thought(topic: Topic): string {
  const paragraphs = topic.random.between(1, 3);
  return Array.from({ length: paragraphs }, () => paragraph(topic, THOUGHTS, topic.random.between(2, 6))).join("\n\n");
}

/** A line or two before a tool is called. */
export function remark(topic: Topic): string {
  return paragraph(topic, STATEMENTS, topic.random.between(1, 3));
}

/** An answer in Markdown: paragraphs, headings, lists, tables and code. */
export function answer(topic: Topic, language: CodeLanguage): string {
  const { random } = topic;
  const blocks = [paragraph(topic, STATEMENTS, random.between(1, 4))];
  for (let count = random.below(5); count > 0; count--) {
    switch (random.below(6)) {
      case 0:
        blocks.push(`## ${topic.words(random.between(2, 5))}`, paragraph(topic, STATEMENTS, 3));
        break;
      case 1:
        blocks.push(`\`\`\`${language}\n${codeBlock(topic, language).join("\n")}\n\`\`\``);
        break;
      case 2: {
        const rows = Array.from({ length: random.between(2, 6) }, () => topic.fill(random.pick(TABLE_ROWS)));
        blocks.push(["| what | value | note |", "|---|---|---|", ...rows].join("\n"));
        break;
      }
      case 3: {
        const items = Array.from({ length: random.between(2, 7) }, () => `- ${paragraph(topic, STATEMENTS, 1)}`);
        blocks.push(items.join("\n"));
        break;
      }
      default:
        blocks.push(paragraph(topic, STATEMENTS, random.between(2, 6)));
    }
  }
  return blocks.join("\n\n");
}

const TABLE_ROWS = templates(`
| \`$c\` | $n | $m |
| $p | $n ms | $m $w |
`);

/** The summary that replaces older context. */
export function summary(topic: Topic): string {
  const { random } = topic;
  const files = Array.from({ length: random.between(2, 8) }, () => `- ${topic.path()}`).join("\n");
  const steps = Array.from({ length: random.between(2, 6) }, () => `1. ${paragraph(topic, STATEMENTS, 2)}`).join("\n");
  return `## Goal\n${request(topic)}\n\n## Progress\n${steps}\n\n## Files\n${files}\n\n## Next\n${remark(topic)}`;
}
