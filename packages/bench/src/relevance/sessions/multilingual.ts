import { assistant, edit, named, read, run, think, user, type WrittenSession } from "../written-session.ts";

/** Chinese, Japanese, Korean, and languages with accents. */
export const MULTILINGUAL_SESSIONS: WrittenSession[] = [
  {
    id: "zh-order-callback",
    cwd: "/home/li/项目/商城",
    daysAgo: 12,
    steps: [
      user("支付回调重复通知导致订单重复发货，请帮我看一下 `handlePayNotify` 有没有做幂等处理。"),
      read(
        "src/pay/notify.ts",
        "export async function handlePayNotify(payload) {\n  // 更新订单状态\n  await order.ship(payload.orderId);\n}",
      ),
      assistant(
        "没有。回调到达两次就会发货两次。应该先用订单号加唯一索引，再更新状态机，只有从「待支付」到「已支付」的第一次转换才触发发货。",
      ),
      edit(
        "src/pay/notify.ts",
        "await order.ship(",
        'if (!(await order.transition("待支付", "已支付"))) return;\n  await order.ship(',
      ),
      assistant("已经改好，重复的支付回调现在直接返回成功，不再重复发货。"),
    ],
  },
  {
    id: "zh-word-segmentation",
    cwd: "/home/li/项目/知识库",
    daysAgo: 45,
    steps: [
      user("全文检索搜不到「量子计算机」，但是「量子」可以。是分词的问题吗？"),
      think("分词器把「量子计算机」切成「量子」「计算机」，查询时却作为整体匹配。"),
      assistant(
        "是的，索引和查询用了不同的分词词典。改用二元分词（bigram）以后，任意相邻两个字都可以命中，不再依赖词典。",
      ),
      run("npm run reindex", "已重建索引：12,480 篇文档\n"),
      assistant("重建索引以后「量子计算机」可以搜到 37 篇文档。"),
    ],
  },
  {
    id: "zh-memory-leak",
    cwd: "/home/li/项目/网关",
    daysAgo: 80,
    steps: [
      user("网关运行三天以后内存泄漏，每天增长大约两百兆。"),
      run("node --heapsnapshot-signal=SIGUSR2 gateway.js", "Retained size: 612 MB  Map  requestContexts\n"),
      assistant("`requestContexts` 只在请求正常结束时删除；客户端中途断开连接的请求永远留在 Map 里。"),
      edit("src/context.ts", 'response.on("finish", remove)', 'response.on("close", remove)'),
      assistant("监听 close 事件以后内存稳定在 180 MB。"),
    ],
  },
  {
    id: "ja-csv-garbled",
    cwd: "/home/sato/code/uriage",
    daysAgo: 20,
    steps: [
      user("売上のCSVをExcelで開くと文字化けします。UTF-8で出力しているはずです。"),
      assistant("ExcelはBOMがないとShift_JISとして読み込みます。ファイルの先頭にBOMを付けてください。"),
      edit("src/export/csv.ts", 'return rows.join("\\r\\n")', 'return "\\uFEFF" + rows.join("\\r\\n")'),
      assistant("BOMを付けたので、Excelでもブラウザでも文字化けしなくなりました。"),
    ],
  },
  {
    id: "ja-session-timeout",
    cwd: "/home/sato/code/kanri",
    daysAgo: 34,
    steps: [
      user("管理画面で三十分操作しないとセッションが切れて、入力中の内容が消えてしまいます。"),
      assistant("下書きを自動保存し、認証エラーのときは再ログイン後に復元するようにします。"),
      edit("src/form/draft.ts", "localStorage.setItem(key, value)", "await drafts.save(userId, key, value)"),
      assistant("下書きの自動保存が入りました。再ログインすると入力内容が戻ります。"),
      named("下書きの自動保存"),
    ],
  },
  {
    id: "ko-refund",
    cwd: "/home/kim/code/gyeolje",
    daysAgo: 26,
    steps: [
      user("부분 환불을 하면 결제 금액이 음수가 되는 경우가 있습니다. 원인을 찾아 주세요."),
      assistant("동시에 들어온 환불 요청 두 개가 같은 잔액을 읽습니다. 잔액 행을 잠그고 확인해야 합니다."),
      edit("src/refund.ts", "const balance = await load(id)", "const balance = await loadForUpdate(id)"),
      assistant("이제 부분 환불 합계가 결제 금액을 넘지 않습니다."),
    ],
  },
  {
    id: "de-transfer-umlauts",
    cwd: "/home/ana/code/bank",
    daysAgo: 15,
    steps: [
      user("Die Überweisung mit Umlauten im Verwendungszweck wird von der Bank abgelehnt."),
      assistant(
        "SEPA erlaubt nur den lateinischen Grundzeichensatz. „Müllabfuhr Gebühr“ muss als „Muellabfuhr Gebuehr“ gesendet werden.",
      ),
      edit(
        "src/sepa/transliterate.ts",
        "return text",
        'return text.replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/ß/g, "ss")',
      ),
      assistant("Überweisungen mit Umlauten gehen jetzt durch, der Verwendungszweck wird umgeschrieben."),
    ],
  },
  {
    id: "fr-resume-upload",
    cwd: "/home/gil/apps/emploi",
    daysAgo: 57,
    steps: [
      user(
        "Le téléversement du résumé échoue quand le nom du fichier contient un accent, par exemple « résumé_François.pdf ».",
      ),
      assistant(
        "macOS décompose les accents (NFD), le serveur compare en NFC. Il faut normaliser le nom avant la comparaison.",
      ),
      edit("src/upload/file-name.ts", "name === stored", 'name.normalize("NFC") === stored'),
      assistant("Les noms accentués sont acceptés sur toutes les plates-formes."),
    ],
  },
];
