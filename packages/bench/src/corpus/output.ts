import { type Template, type Topic, template, templates } from "./topic.ts";

const SERVICE_LOG = templates(`
$t $l [$d] $m request_id=$x duration=$nms
$t $l [$d] $m request_id=$x status=200 bytes=$n
$t $l $f:$n $m
time="$t" level=info msg="$m" trace_id=$x component=$d
{"time":"$t","level":"info","module":"$d","msg":"$m","id":"$x","elapsed_ms":$n}
$t $l $p.$c: $m ($k=$n)
`);

const STACK_TRACES = [
  template(`$t ERROR [$d] $p: $m
    at $p.$c (/srv/app/$f:$n:$n)
    at async $c (/srv/app/$f:$n:$n)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`),
  template(`Traceback (most recent call last):
  File "/srv/app/$f", line $n, in $s
    return self.$s($s)
  File "/srv/app/$f", line $n, in $s
    raise $p(f"$m {$s}")
$p: $m`),
];

const TEST_RUN = templates(`
 ✓ $f > $p > $m ($n ms)
 ✓ $f > $p > $m ($n ms)
 ✓ $f > $c > $m ($n ms)
--- PASS: Test$p ($n.00s)
 FAIL  $f > $p > $m
AssertionError: expected $n to be $n // $m
ok  	example.org/$d/$s	$n.123s
`);

const BUILD = templates(`
$f($n,$n): error TS2339: Property '$c' does not exist on type '$p'.
$f:$n:$n - warning: '$c' is declared but its value is never read.
[$n/$n] Compiling $d v0.$n.$n (/home/dev/code/$d)
npm warn deprecated $d@$n.$n.0: $m
dist/$d.js  $n.$n kB │ gzip: $n.$n kB
`);

const LISTING = templates(`
-rw-r--r--  1 dev dev  $n Mar 14 10:22 $d.ts
drwxr-xr-x  4 dev dev 4096 Mar 14 10:22 $d
$h $m
./$f
$n	$n	$f
`);

/** What a command wrote: a log, the report of a test run, a build or a listing, of about so many characters. */
export function commandOutput(topic: Topic, characters: number): string {
  const lines = topic.random.pick([SERVICE_LOG, SERVICE_LOG, TEST_RUN, BUILD, LISTING]);
  const traces = lines === SERVICE_LOG || lines === TEST_RUN ? 0.04 : 0;
  let text = "";
  while (text.length < characters) {
    const line: Template = topic.random.chance(traces) ? topic.random.pick(STACK_TRACES) : topic.random.pick(lines);
    text += `${topic.fill(line)}\n`;
  }
  return text;
}

const COMMANDS = templates(`
npm test -- $f
npx vitest run $f -t "$m"
git diff HEAD~$n -- $f
git log --oneline -n $n -- $f
grep -rn "$c" src --include=*.ts | head -$n
rg -n "$p|$c" $f
docker compose logs --since $nm $d | tail -n $n
curl -s localhost:$n/api/$d?$s=$n | jq '.$c'
python -m pytest tests/test_$s.py -k $s -x
go test ./... -run Test$p
cd packages/$d && ls -la && cat $f | sed -n '$n,$np'
kubectl logs deploy/$d -c $d --tail=$n
psql -c "SELECT $s, count(*) FROM $s GROUP BY $s LIMIT $n"
`);

export function command(topic: Topic): string {
  return topic.fill(topic.random.pick(COMMANDS));
}
