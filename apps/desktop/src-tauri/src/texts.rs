//! Texts of the application itself, in the languages of the page.

use serde::Serialize;

pub struct Texts {
    pub menu: MenuTexts,
    #[cfg(target_os = "linux")]
    pub tray: TrayTexts,
    pub status: StatusTexts,
    pub outside_export: &'static str,
    pub not_absolute: &'static str,
    pub not_web: &'static str,
}

pub struct MenuTexts {
    pub file: &'static str,
    pub open: &'static str,
    pub export: &'static str,
    pub export_as: &'static str,
    pub reveal: &'static str,
    pub settings: &'static str,
    pub quit: &'static str,
    #[cfg(target_os = "macos")]
    pub edit: &'static str,
    pub view: &'static str,
    pub palette: &'static str,
    pub rail: &'static str,
    pub theme: &'static str,
    pub reload: &'static str,
    pub larger: &'static str,
    pub smaller: &'static str,
    pub actual_size: &'static str,
    pub go: &'static str,
    pub back: &'static str,
    pub forward: &'static str,
    pub sessions: &'static str,
    pub search: &'static str,
    pub live: &'static str,
    pub terminals: &'static str,
    pub statistics: &'static str,
    pub new_agent: &'static str,
    pub new_terminal: &'static str,
    pub help: &'static str,
    pub shortcuts: &'static str,
    pub in_browser: &'static str,
}

#[cfg(target_os = "linux")]
pub struct TrayTexts {
    pub waiting: &'static str,
    pub running: &'static str,
    pub nothing: &'static str,
    pub show_window: &'static str,
}

/// Texts of the status page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusTexts {
    pub language: &'static str,
    pub starting: &'static str,
    pub restarting: &'static str,
    pub restarting_detail: &'static str,
    pub failed: &'static str,
    pub failed_detail: &'static str,
    pub try_again: &'static str,
    pub log: &'static str,
}

/// Texts in the system's language, if available.
pub fn texts() -> &'static Texts {
    let locale = sys_locale::get_locale().unwrap_or_default();
    if locale.to_ascii_lowercase().starts_with("zh") {
        &CHINESE
    } else {
        &ENGLISH
    }
}

pub static ENGLISH: Texts = Texts {
    menu: MenuTexts {
        file: "File",
        open: "Open Session…",
        export: "Export",
        export_as: "Export As…",
        reveal: "Show in File Manager",
        settings: "Settings",
        quit: "Quit",
        #[cfg(target_os = "macos")]
        edit: "Edit",
        view: "View",
        palette: "All Commands…",
        rail: "Show or Hide Navigation",
        theme: "Light or Dark",
        reload: "Reload",
        larger: "Larger",
        smaller: "Smaller",
        actual_size: "Actual Size",
        go: "Go",
        back: "Back",
        forward: "Forward",
        sessions: "Sessions",
        search: "Search",
        live: "Live Agents",
        terminals: "Terminals",
        statistics: "Statistics",
        new_agent: "New Agent…",
        new_terminal: "New Terminal…",
        help: "Help",
        shortcuts: "Keyboard Shortcuts",
        in_browser: "Open in Browser",
    },
    #[cfg(target_os = "linux")]
    tray: TrayTexts {
        waiting: "Waiting for You",
        running: "Running",
        nothing: "No Agent Is Running",
        show_window: "Open Session Manager",
    },
    status: StatusTexts {
        language: "en",
        starting: "Starting…",
        restarting: "The service stopped unexpectedly",
        restarting_detail: "Restarting it. Your sessions are not affected.",
        failed: "Could not start the service",
        failed_detail: "Your sessions are not affected. The last lines of the log may show the cause.",
        try_again: "Try again",
        log: "Last lines of the log",
    },
    outside_export: "Only exports of this service can be saved.",
    not_absolute: "The path must be absolute.",
    not_web: "Only http: and https: addresses can be opened.",
};

static CHINESE: Texts = Texts {
    menu: MenuTexts {
        file: "文件",
        open: "打开会话…",
        export: "导出",
        export_as: "导出为…",
        reveal: "在文件管理器中显示",
        settings: "设置",
        quit: "退出",
        #[cfg(target_os = "macos")]
        edit: "编辑",
        view: "视图",
        palette: "所有命令…",
        rail: "显示或隐藏导航",
        theme: "浅色或深色",
        reload: "重新加载",
        larger: "放大",
        smaller: "缩小",
        actual_size: "实际大小",
        go: "前往",
        back: "后退",
        forward: "前进",
        sessions: "会话",
        search: "搜索",
        live: "运行中的智能体",
        terminals: "终端",
        statistics: "统计",
        new_agent: "新建智能体…",
        new_terminal: "新建终端…",
        help: "帮助",
        shortcuts: "键盘快捷键",
        in_browser: "在浏览器中打开",
    },
    #[cfg(target_os = "linux")]
    tray: TrayTexts {
        waiting: "等待你处理",
        running: "正在运行",
        nothing: "没有正在运行的代理",
        show_window: "打开 Session Manager",
    },
    status: StatusTexts {
        language: "zh",
        starting: "正在启动…",
        restarting: "服务意外结束",
        restarting_detail: "正在重新启动。你的会话没有受到影响。",
        failed: "服务无法启动",
        failed_detail: "你的会话没有受到影响。服务最后输出的内容可能说明了原因。",
        try_again: "重试",
        log: "日志的最后几行",
    },
    outside_export: "只能保存此服务的导出内容。",
    not_absolute: "路径必须是绝对路径。",
    not_web: "只能打开以 http: 或 https: 开头的地址。",
};
