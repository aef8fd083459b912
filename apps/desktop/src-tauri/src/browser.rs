//! The default browser.

use tauri::Url;

/// Opens a web address. Rejects all others, because programs of the system handle many kinds of addresses, and the page
/// shows content written by others.
pub fn open(url: &Url) -> Result<(), String> {
    if !is_web(url) {
        return Err(crate::texts::texts().not_web.to_owned());
    }
    tauri_plugin_opener::open_url(url.as_str(), None::<&str>).map_err(|error| error.to_string())
}

/// Opens the target of a link, if it is a web address.
pub fn open_link(url: &Url) {
    if let Err(error) = open(url) {
        eprintln!("A link was not opened: {error}");
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_addresses_of_the_web_only() {
        for (address, expected) in [
            ("http://127.0.0.1:1/", true),
            ("https://example.org/?a=b#c", true),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
            ("vscode://file/a", false),
            ("about:blank", false),
        ] {
            assert_eq!(is_web(&address.parse().unwrap()), expected, "{address}");
        }
    }
}
