import { SessionWriter } from "../session-writer.ts";
import { CODEX, SONNET } from "./models.ts";

/** A longer session with user commands, a model change and a compaction. */
export function ledger(startedAt: number): SessionWriter {
  const session = new SessionWriter({ cwd: "/home/ada/projects/ledger", startedAt, model: CODEX });
  session.bash("git status --short", " M src/money.py\n?? notes/rounding.md\n");
  session.user(
    "Amounts are floats all through this ledger and the yearly balance is off by 0.03. Move everything to integer cents, " +
      "in steps that I can review.",
  );
  session.assistant({
    thinking: "First find every float that is money. Then a type of its own, so that the type checker finds the rest.",
    tools: [
      {
        name: "bash",
        arguments: { command: "grep -rnE 'float\\(|: float' src | wc -l; grep -rlE 'float\\(|: float' src" },
        output:
          "47\nsrc/accounts.py\nsrc/importers/bank_csv.py\nsrc/money.py\nsrc/report/balance.py\nsrc/report/tax.py\n",
      },
      {
        name: "read",
        arguments: { path: "src/money.py" },
        output:
          "def add(a: float, b: float) -> float:\n    return round(a + b, 2)\n\n\ndef parse(text: str) -> float:\n" +
          '    return float(text.replace(".", "").replace(",", "."))\n',
      },
    ],
    text:
      "47 places in five files. I suggest four commits, each green by itself:\n\n| step | what | files |\n|---|---|---|\n" +
      "| 1 | `Cents`, a type with parsing and printing | `money.py` |\n| 2 | importers | `bank_csv.py` |\n" +
      "| 3 | accounts and balance | `accounts.py`, `balance.py` |\n| 4 | tax, where rounding is prescribed by law | `tax.py` |",
  });
  session.user("Good plan, go ahead with 1 and 2.");
  session.assistant({
    tools: [
      {
        name: "edit",
        arguments: {
          path: "src/money.py",
          edits: [
            {
              oldText: "def add(a: float, b: float) -> float:\n    return round(a + b, 2)\n",
              newText: 'Cents = NewType("Cents", int)\n',
            },
          ],
        },
        output: "Successfully replaced 1 block(s) in src/money.py.",
        diff: [
          "-1 def add(a: float, b: float) -> float:",
          "-2     return round(a + b, 2)",
          '+1 Cents = NewType("Cents", int)',
          " 3 ",
        ].join("\n"),
      },
      {
        name: "bash",
        arguments: { command: "mypy src && pytest -q tests/test_money.py tests/test_bank_csv.py" },
        output: "Success: no issues found in 14 source files\n...................\n19 passed in 0.41s\n",
      },
    ],
    text: "Steps 1 and 2 are committed. The CSV importer parses `1.234,56` straight to `123456` and never sees a float.",
  });
  session.changeModel(SONNET);
  const question = session.user("Step 3. And tell me where the 0.03 came from.");
  session.compact(
    "Goal: replace float money by integer cents in the ledger, in four reviewable commits. Done: `Cents` in money.py " +
      "(step 1), bank_csv.py importer (step 2), tests green. Next: accounts.py and report/balance.py (step 3), then " +
      "report/tax.py with the prescribed rounding (step 4). The user wants to know the origin of the 0.03.",
    question,
  );
  session.assistant({
    tools: [
      {
        name: "bash",
        arguments: { command: "python scripts/compare_years.py --old float --new cents" },
        output:
          "month      float      cents   difference\n2024-02    812.45     812.45         0.00\n" +
          "2024-07   -120.01    -120.00         0.01\n2024-11    455.15     455.17         0.02\n",
      },
    ],
    text:
      "Step 3 is committed. The 0.03 are two places where a *share* was rounded before it was summed: the July electricity " +
      "bill (one cent) and November's travel costs (two cents). In cents the remainder goes to the largest share, so the " +
      "parts always add up to the whole.",
  });
  session.bash("pytest -q", "........................................................\n56 passed in 1.12s\n");
  session.user("Beautiful. Step 4 tomorrow, with the tax law beside us.");
  session.assistant({
    text: "Until tomorrow. For step 4: income tax rounds **down** to whole euros, VAT rounds half up to cents, per invoice.",
  });
  session.name("Ledger: from floats to integer cents");
  return session;
}
