import { SessionWriter } from "../session-writer.ts";
import { SONNET } from "./models.ts";

/** A conversation in Japanese. */
export function recipeSearch(startedAt: number): SessionWriter {
  const session = new SessionWriter({ cwd: "/home/ada/projects/kondate", startedAt, model: SONNET });
  session.user("レシピ検索で「だし」と入力しても「出汁」のレシピが出てきません。読みがなでも探せるようにしたいです。");
  session.assistant({
    thinking:
      "「だし」と「出汁」は表記が違うだけで同じ言葉。検索用の列に読みがなを入れておけば、どちらの表記でも一致する。",
    tools: [
      {
        name: "bash",
        arguments: { command: "sqlite3 kondate.db '.schema recipe'" },
        output: "CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL);\n",
      },
    ],
    text:
      "原因は、検索が `title` の文字をそのまま比べていることです。次の形を提案します。\n\n" +
      "1. `reading` 列を足して、保存するときに読みがなを入れる\n" +
      "2. 検索語も読みがなに直してから比べる\n" +
      "3. カタカナとひらがなは同じものとして扱う\n\nこれで「だし」「ダシ」「出汁」のどれでも同じレシピが見つかります。進めてもよいですか。",
  });
  session.user("お願いします。既存のレシピにも読みがなを付けてください。");
  session.assistant({
    tools: [
      {
        name: "write",
        arguments: {
          path: "migrations/0007_reading.sql",
          content:
            "ALTER TABLE recipe ADD COLUMN reading TEXT NOT NULL DEFAULT '';\nCREATE INDEX recipe_reading ON recipe (reading);\n",
        },
        output: "Successfully wrote 113 bytes to migrations/0007_reading.sql",
      },
      {
        name: "bash",
        arguments: { command: "npm run migrate && npm run fill-readings" },
        output: "0007_reading.sql: ok\n読みがなを付けたレシピ: 412\n読めなかったレシピ: 3\n",
      },
    ],
    text:
      "412 件に読みがなを付けました。読めなかった 3 件は「治部煮」「巻繊汁」「鮟鱇の共和え」です。" +
      "手で入力できるように、編集画面に「読み」の欄を足しました。",
  });
  session.user("「巻繊汁」は「けんちんじる」です。助かりました！");
  session.assistant({ text: "登録しました。「けんちん」で検索すると 1 件見つかります。" });
  return session;
}
