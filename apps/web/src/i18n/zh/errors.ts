import type { errors as en } from "../en/errors.ts";
import type { Catalogue } from "../message.ts";

export const errors: Catalogue<typeof en> = {
  "error.INVALID_REQUEST": "请求无效。（{message}）",
  "error.INVALID_PAYLOAD": "输入无效。（{message}）",
  "error.UNAUTHORIZED": "需要访问令牌。（{message}）",
  "error.FORBIDDEN": "没有权限。（{message}）",
  "error.UNKNOWN_COMMAND": "服务不认识此命令，可能是旧版本。（{message}）",
  "error.NOT_FOUND": "找不到所需内容。（{message}）",
  "error.CONFLICT": "与当前状态冲突。（{message}）",
  "error.READ_ONLY": "无法写入：文件系统只读或没有权限。（{message}）",
  "error.PAYLOAD_TOO_LARGE": "内容过大。（{message}）",
  "error.UNSUPPORTED_MEDIA_TYPE": "不支持此内容类型。（{message}）",
  "error.RATE_LIMITED": "请求过多，请稍后再试。（{message}）",
  "error.INTERNAL": "服务内部错误，详见其日志。（{message}）",
  "error.UNAVAILABLE": "暂时不可用。（{message}）",
  "error.TIMEOUT": "耗时过长，已停止。（{message}）",
};
