import { type Template, type Topic, template } from "./topic.ts";

export type CodeLanguage = "typescript" | "python" | "go";

export const EXTENSIONS: Record<CodeLanguage, string> = { typescript: "ts", python: "py", go: "go" };

/** Parts of a file, divided by empty lines; the first is the import line. */
function parts(text: string): Template[] {
  return text
    .trim()
    .split("\n\n")
    .map((part) => template(part));
}

const TYPESCRIPT = parts(`
import { $c, $p } from "./$d.ts";

/** $m, $m. */
export async function $c(request: $p, limit = $n): Promise<$p> {
  const { $c, $c } = await this.$c(request);
  if ($c === undefined || $c.length > limit) {
    throw new $p("$m", { cause: request });
  }
  return { ...$c, $c: $c.map((value) => value.$c) };
}

export interface $p {
  /** $m $m. */
  readonly $c: string;
  $c?: $p | undefined;
  $c: Map<string, $p>;
}

const $k = $n;
const $k = new Set(["$d", "$d", "$s"]);

export class $p extends $p {
  readonly #$c = new Map<string, $p>();
  constructor(private readonly $c: $p) {
    super("$d");
  }
  $c(key: string): $p | null {
    // $m $m.
    const $c = this.#$c.get(key);
    return $c ?? null;
  }
}

for (const $c of $c.filter(({ $c }) => $c > $n)) {
  switch ($c.kind) {
    case "$d":
      await $c($c, { $c: true, $c: $n });
      break;
    default:
      logger.warn({ $c, $c }, "$m");
  }
}

describe("$p", () => {
  it("$m $m", async () => {
    const $c = await $c({ $c: $n, $c: "$s" });
    expect($c.$c).toEqual([{ id: "$x", $c: $n }]);
  });
});
`);

const PYTHON = parts(`
from $s.$s import $p, $s

class $p($p):
    """$m $m."""
    $s: int = $n
    $s: str | None = None

def $s(self, $s: $p, *, $s: int = $n) -> list[$p]:
    # $m $m
    if not $s.$s:
        raise $p(f"$m: {$s!r}")
    return [$s(item) for item in $s.$s if item.$s > $n]

async def $s($s: str) -> dict[str, $p]:
    async with self.$s("$s") as $s:
        rows = await $s.fetch("SELECT $s, $s FROM $s WHERE $s = %s", $s)
    return {row["$s"]: $p(**row) for row in rows}

$k = {
    "$s": $n,
    "$s": "$d",
}

@pytest.mark.parametrize("$s", [$n, $n, $n])
def test_$s($s, $s):
    assert $s($s).$s == $n
    logger.info("$m %s", $s)
`);

const GO = parts(`
import "example.org/$d/$d"

// $p $m $m.
type $p struct {
	$p string \`json:"$s"\`
	$p *$p    \`json:"$s,omitempty"\`
	mu  sync.Mutex
}

func (s *$p) $p(ctx context.Context, $c *$p) (*$p, error) {
	$c, err := s.$c.$p(ctx, $c.$p)
	if err != nil {
		return nil, fmt.Errorf("$m: %w", err)
	}
	for i := 0; i < len($c); i++ {
		$c[i].$p = $n
	}
	return &$p{$p: $c}, nil
}

const $c = $n * time.Millisecond

func Test$p(t *testing.T) {
	got := $p($n, "$d")
	if got.$p != $n {
		t.Errorf("$p() = %v, want $n", got)
	}
}
`);

const LANGUAGES: Record<CodeLanguage, Template[]> = { typescript: TYPESCRIPT, python: PYTHON, go: GO };

/** Writes a source file of at least so many lines, imports first. */
export function codeFile(topic: Topic, language: CodeLanguage, lines: number): string[] {
  const [importLine, ...rest] = LANGUAGES[language];
  if (importLine === undefined) throw new RangeError(`No code is known in ${language}.`);
  const file = Array.from({ length: topic.random.between(2, 8) }, () => topic.fill(importLine));
  while (file.length < lines) file.push("", ...topic.fill(topic.random.pick(rest)).split("\n"));
  return file;
}

/** Writes one declaration. */
export function codeBlock(topic: Topic, language: CodeLanguage): string[] {
  return topic.fill(topic.random.pick(LANGUAGES[language].slice(1))).split("\n");
}
