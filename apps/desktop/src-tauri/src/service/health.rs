//! Health check of a service.

use std::time::Duration;

use tauri::Url;
use ureq::Agent;

const ANSWER_WITHIN: Duration = Duration::from_secs(1);

/// HTTP client for a local service, without proxies and redirects.
pub fn local_client() -> Agent {
    Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .build()
        .into()
}

/// The token in the page's URL.
pub fn token_of(url: &Url) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs.find_map(|(name, value)| (name == "token").then(|| value.into_owned()))
}

/// Whether a Session Manager service responds, in any state.
pub fn answers(url: &Url) -> bool {
    let Ok(address) = url.join("/health") else {
        return false;
    };
    let request = local_client().get(address.as_str());
    let request = request.config().timeout_global(Some(ANSWER_WITHIN)).build();
    let body = request.call().and_then(|mut response| {
        let body = response.body_mut().with_config().limit(64 * 1024);
        body.read_to_string()
    });
    let health: Option<serde_json::Value> =
        body.ok().and_then(|text| serde_json::from_str(&text).ok());
    health.is_some_and(|health| health.get("api_version").is_some())
}
