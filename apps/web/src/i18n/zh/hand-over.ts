import type { handOver as en } from "../en/hand-over.ts";
import type { Catalogue } from "../message.ts";

export const handOver: Catalogue<typeof en> = {
  "hand_over.title": "移交",
  "hand_over.agent": "移交给",
  "hand_over.about_pi": "将该分支写成 pi 的新会话，保留工具调用及其结果。此会话保持不变。",
  "hand_over.about_brief":
    "生成一份简报，包含目标、决定、文件、失败的命令和未完成事项，并给出用它启动 {agent} 的命令。机密会被替换。",
  "hand_over.start": "移交",
  "hand_over.busy": "正在移交…",
  "hand_over.failed": "无法移交该会话。",
  "hand_over.command": "命令",
  "hand_over.copy_command": "复制命令",
  "hand_over.command_hint": "用于服务所在机器上的终端。",
  "hand_over.brief": "简报",
  "hand_over.copy_brief": "复制简报",
  "hand_over.brief_hint": "规则会找出看起来像机密的内容，但可能有遗漏。服务会将文件保留一周。",
  "hand_over.written": "新会话：{title}",
  "hand_over.open": "打开",
  "hand_over.continue": "在此继续",
};
