import {
  assistant,
  edit,
  label,
  named,
  note,
  read,
  run,
  shell,
  think,
  user,
  type WrittenSession,
} from "../written-session.ts";

/** Deployment, continuous integration, machines. */
export const OPERATIONS_SESSIONS: WrittenSession[] = [
  {
    id: "pods-oom-killed",
    cwd: "/home/dev/infra/cluster",
    daysAgo: 7,
    steps: [
      user("The image resizer restarts all the time. Exit code 137."),
      run(
        "kubectl describe pod resizer-5d9 | grep -A3 'Last State'",
        "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n",
      ),
      assistant("The pod is OOMKilled: sharp keeps decoded frames in libvips' cache, the container limit is 256Mi."),
      edit("charts/resizer/values.yaml", "memory: 256Mi", "memory: 768Mi"),
      assistant("The limit is 768Mi now and `sharp.cache(false)` is set; memory is flat at 410Mi under load."),
    ],
  },
  {
    id: "helm-rollback-stuck",
    cwd: "/home/dev/infra/cluster",
    daysAgo: 29,
    steps: [
      user(
        "helm upgrade says `another operation (install/upgrade/rollback) is in progress` since the pipeline was cancelled.",
      ),
      run("helm history portal -n web", "REVISION STATUS\n41       deployed\n42       pending-upgrade\n"),
      assistant("Revision 42 is stuck in pending-upgrade. Rolling back to 41 clears the lock."),
      run("helm rollback portal 41 -n web", "Rollback was a success! Happy Helming!"),
      assistant("The release is deployed again; the pipeline now uses --atomic, which rolls back by itself."),
    ],
  },
  {
    id: "blue-green-first-attempt",
    cwd: "/home/dev/infra/gateway",
    daysAgo: 410,
    steps: [
      user("Set up blue green deployment for the gateway with two target groups."),
      edit("terraform/gateway.tf", 'resource "aws_lb_listener" "main"', 'resource "aws_lb_listener_rule" "blue_green"'),
      assistant(
        "Blue green deployment is there: two target groups, the listener switches by weight. Switching is a manual `terraform apply`.",
      ),
    ],
  },
  {
    id: "blue-green-automated",
    cwd: "/home/dev/infra/gateway",
    daysAgo: 11,
    steps: [
      user(
        "Our blue green deployment of the gateway should switch by itself when the health checks are green for five minutes.",
      ),
      read("pipelines/promote.yaml", "steps:\n  - name: wait-healthy\n  - name: shift-traffic\n"),
      edit(
        "pipelines/promote.yaml",
        "- name: shift-traffic",
        "- name: shift-traffic\n    weights: [10, 50, 100]\n    abortOn: error_rate > 1%",
      ),
      assistant(
        "Blue green deployment now promotes in three steps and goes back to blue when the error rate is above one percent.",
      ),
    ],
  },
  {
    id: "actions-cache-miss",
    cwd: "/home/dev/oss/widget",
    daysAgo: 21,
    steps: [
      user("The GitHub Actions cache never hits, every build downloads all of npm again."),
      read(".github/workflows/ci.yml", "env:\n  CACHE_KEY: node-$GITHUB_SHA"),
      assistant(
        "The cache key contains the commit's sha, so each commit has a new one. It should be the hash of the lockfile.",
      ),
      edit(".github/workflows/ci.yml", "node-$GITHUB_SHA", "node-$(sha256sum pnpm-lock.yaml)"),
      assistant("The second run restored the cache: install went from 94 s to 11 s."),
    ],
  },
  {
    id: "flaky-test-dst",
    cwd: "/home/dev/oss/calendar",
    daysAgo: 27,
    steps: [
      user("recurrence.test.ts fails only on some machines and only since Sunday."),
      run(
        "TZ=Europe/Berlin npx vitest run src/recurrence.test.ts",
        " FAIL  src/recurrence.test.ts > weekly events > keeps the hour\nAssertionError: expected 9 to be 10\n",
      ),
      assistant(
        "The switch to summer time: adding 7 × 24 hours crosses the DST change and moves the event by an hour.",
      ),
      edit("src/recurrence.ts", "new Date(start + 7 * DAY)", "start.toZonedDateTime(zone).add({ weeks: 1 })"),
      assistant("The flaky test is deterministic now: it runs in UTC, Europe/Berlin and Australia/Lord_Howe."),
    ],
  },
  {
    id: "exec-format-error",
    cwd: "/home/dev/infra/images",
    daysAgo: 58,
    steps: [
      user("The container dies on the new Graviton machines: `exec /usr/local/bin/app: exec format error`."),
      run(
        "docker manifest inspect registry.example.net/app:3.2 | jq '.manifests[].platform.architecture'",
        '"amd64"\n',
      ),
      assistant("The image exists for amd64 only, the machines are arm64."),
      edit("Makefile", "docker build -t", "docker buildx build --platform linux/amd64,linux/arm64 -t"),
      assistant("The multi-arch image is pushed; the pods start on arm64."),
    ],
  },
  {
    id: "nginx-body-too-large",
    cwd: "/home/dev/infra/edge",
    daysAgo: 66,
    steps: [
      user("Uploads over 1 MB end with 413 Request Entity Too Large."),
      edit(
        "nginx/conf.d/uploads.conf",
        "location /uploads {",
        "location /uploads {\n    client_max_body_size 50m;\n    proxy_request_buffering off;",
      ),
      run("nginx -t && systemctl reload nginx", "nginx: configuration file /etc/nginx/nginx.conf test is successful"),
      assistant("`client_max_body_size` is 50 MB for /uploads alone, and bodies are streamed to the back end."),
    ],
  },
  {
    id: "terraform-drift",
    cwd: "/home/dev/infra/gateway",
    daysAgo: 36,
    steps: [
      user("Somebody changed the security group by hand. Bring the state in line again without a downtime."),
      shell(
        "terraform plan -refresh-only",
        'Note: Objects have changed outside of Terraform\n  # aws_security_group.edge has changed\n    ~ ingress = [ + { cidr_blocks = ["198.51.100.0/24"] } ]\n',
      ),
      assistant(
        "The manual rule allows the office network. I import it into the code instead of removing it, so nothing breaks.",
      ),
      edit("terraform/edge.tf", "ingress = []", "ingress = [local.office_network]"),
      label("drift resolved"),
    ],
  },
  {
    id: "disk-full-of-wal",
    cwd: "/home/ben/src/ledger",
    daysAgo: 16,
    steps: [
      user("Disk usage alarm on the primary: pg_wal has grown to 210 GB."),
      run(
        "psql -c 'select slot_name, active, restart_lsn from pg_replication_slots'",
        " slot_name     | active | restart_lsn\n analytics_old | f      | 4A/3C000028\n",
      ),
      assistant(
        "The replication slot `analytics_old` is inactive and holds back the WAL since the analytics server was switched off in spring.",
      ),
      run("psql -c \"select pg_drop_replication_slot('analytics_old')\"", " pg_drop_replication_slot\n \n"),
      assistant(
        "The slot is dropped, a checkpoint freed 204 GB. max_slot_wal_keep_size is 20GB now, so that this cannot fill the disk again.",
      ),
    ],
  },
  {
    id: "certificate-renewal-handover",
    cwd: "/home/dev/infra/edge",
    daysAgo: 3,
    isFavorite: true,
    steps: [
      user("acme renewal fails since the DNS move."),
      run(
        "certbot renew --dry-run",
        "Challenge failed for domain edge.example.net\ndns-01 challenge: NXDOMAIN looking up TXT for _acme-challenge.edge.example.net\n",
      ),
      think("The TXT record is written to the old zone. The API credentials still point to the former registrar."),
      assistant(
        "The hook writes the challenge into the zone at the former registrar. I pointed it to the new one; the dry run passes.",
      ),
      note(
        "Handover for Priya: the wildcard certificate expires on the 30th, the renewal hook is fixed but not yet deployed on edge-2.",
      ),
    ],
  },
  {
    id: "node-upgrade",
    cwd: "/home/dev/oss/widget",
    daysAgo: 95,
    steps: [
      user("Upgrade the project from v18.19.0 to v20.11.1 and tell me what breaks."),
      run(
        "nvm install 20.11.1 && npm test",
        'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /home/dev/oss/widget/loader.ts\n',
      ),
      assistant(
        "Only the ESM loader breaks: --loader became --import with register(). Everything else passes on v20.11.1.",
      ),
      edit("package.json", '"node": ">=18"', '"node": ">=20.11"'),
      named("Node 20 upgrade"),
    ],
  },
];
