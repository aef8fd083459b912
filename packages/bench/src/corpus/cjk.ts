import type { Random } from "./random.ts";
import type { Topic } from "./topic.ts";

export type CjkLanguage = "chinese" | "japanese" | "korean";

interface Lexicon {
  words: string[];
  comma: string;
  stop: string;
  /** Between words; empty where a language writes none. */
  space: string;
}

const LEXICONS: Record<CjkLanguage, Lexicon> = {
  chinese: {
    words:
      `的 了 在 是 我们 这个 那个 需要 可以 请 帮我 看一下 为什么 没有 已经 现在 然后 如果 但是 因为 所以 还是 以及 问题 代码 文件
      函数 变量 测试 错误 修复 运行 结果 返回 参数 接口 服务 数据库 查询 索引 缓存 请求 响应 超时 连接 线程 内存 泄漏 日志 配置 环境
      部署 版本 分支 提交 合并 冲突 回滚 性能 优化 重构 模块 依赖 升级 兼容 编码 解析 序列化 权限 用户 登录 会话 消息 队列 订阅 通知
      页面 按钮 样式 布局 滚动 渲染 组件 状态 更新 删除 创建 搜索 排序 分页 导出 导入 备份 恢复 加密 签名 校验 失败 成功 重试 并发
      锁 事务 迁移 表 字段 主键 外键 类型 定义 实现 继承 异常 捕获 抛出 注释 文档 示例 场景 边界 情况 期望 实际 原因 方案 建议 检查`.split(
        /\s+/,
      ),
    comma: "，",
    stop: "。",
    space: "",
  },
  japanese: {
    words:
      `この その は が を に で と も から まで ので です ます ください について 確認 修正 実行 関数 変数 テスト 失敗 成功 ファイル エラー
      コード 結果 引数 戻り値 設定 環境 検索 索引 更新 削除 作成 接続 待機 時間 並列 処理 例外 記録 履歴 画面 表示 入力 出力 認証
      権限 データ ベース キャッシュ メモリ スレッド サーバー クライアント リクエスト レスポンス バージョン ブランチ 依存関係 最適化`.split(
        /\s+/,
      ),
    comma: "、",
    stop: "。",
    space: "",
  },
  korean: {
    words:
      `이 그 저 그리고 하지만 그래서 다시 먼저 함수 변수 파일 오류 테스트 실행 결과 수정 확인 검색 색인 데이터 서버 요청 응답 연결 시간
      초과 메모리 캐시 설정 환경 배포 버전 병합 충돌 삭제 생성 목록 화면 입력 출력 인증 권한 사용자 기록 합니다 해주세요 입니다 있습니다
      없습니다 때문에 위해서 대해서`.split(/\s+/),
    comma: ",",
    stop: ".",
    space: " ",
  },
};

/** Pairs of neighbouring characters that sessions in these languages are full of. */
export const COMMON_BIGRAMS: readonly string[] = Object.values(LEXICONS).flatMap(({ words }) =>
  words.filter((word) => word.length === 2 && /^[\p{Script=Han}\p{Script=Hangul}]+$/u.test(word)),
);

/** Sentences with a name from the code now and then, as people write about code in these languages. */
export function cjkText(topic: Topic, language: CjkLanguage, sentences: number): string {
  const { random } = topic;
  const { words, comma, stop, space } = LEXICONS[language];
  let text = "";
  for (let sentence = 0; sentence < sentences; sentence++) {
    const count = random.between(5, 18);
    for (let index = 0; index < count; index++) {
      if (random.chance(0.07)) text += ` \`${topic.name().camel}\` `;
      text += random.pickSkewed(words);
      if (index < count - 1) text += random.chance(0.2) ? comma + space : space;
    }
    text += stop + space;
  }
  return text.trimEnd();
}

/** Characters that no lexicon uses: any two of them in a row were planted. */
export function rareCjk(random: Random, length: number): string {
  const used = new Set(Object.values(LEXICONS).flatMap(({ words }) => [...words.join("")]));
  let text = "";
  while (text.length < length) {
    const character = String.fromCodePoint(random.between(0x4e00, 0x9f00));
    if (!used.has(character)) text += character;
  }
  return text;
}
