import { SessionWriter } from "../session-writer.ts";
import { SONNET } from "./models.ts";

/** A short conversation in Chinese and English, without tools. */
export function readingList(startedAt: number): SessionWriter {
  const session = new SessionWriter({ cwd: "/home/ada/notes", startedAt, model: SONNET });
  session.user("用两三句话解释一下 write-ahead log，我想写进读书笔记。");
  session.assistant({
    text:
      "**预写日志**（write-ahead log）的规则只有一条：先把要做的修改追加到日志并落盘，再去改数据本身。" +
      "这样即使中途断电，重启时重放日志就能恢复到一致的状态。代价是每次修改写两遍，好处是第一遍是顺序写，很快。",
  });
  session.user("SQLite 的 WAL 模式也是这样吗？");
  session.assistant({
    text:
      "思路相同，细节不同：SQLite 的 WAL 记录的是*修改后的整页*，读者先在 WAL 里找最新的页，找不到再读数据库文件。" +
      "因此写入不会阻塞读取。WAL 变长后，checkpoint 会把页搬回数据库文件。",
  });
  return session;
}
