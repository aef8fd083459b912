//! For tests: the tray and the notifications of a desktop, on the session bus. Each line of standard input is a
//! command, answered by a line of JSON:
//!
//! - `tray`: the icon with its menu, or `null`
//! - `choose TEXT`: chooses the first item of the menu that contains the text, if there is one
//! - `notifications`: those shown by now, oldest first
//! - `click`: clicks the newest notification

#[cfg(target_os = "linux")]
fn main() -> linux::Result<()> {
    linux::run()
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::io::{Write, stdin, stdout};
    use std::sync::{Arc, Mutex};

    use serde::Serialize;
    use serde_json::{Value as Json, json};
    use zbus::blocking::{Connection, Proxy, connection::Builder};
    use zbus::fdo::RequestNameFlags;
    use zbus::interface;
    use zbus::message::Header;
    use zbus::object_server::SignalEmitter;
    use zbus::zvariant::{OwnedValue, Value};

    pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
    const NOTIFICATIONS_PATH: &str = "/org/freedesktop/Notifications";

    /// Names of the items, as they have registered.
    #[derive(Clone, Default)]
    struct Watcher(Arc<Mutex<Vec<String>>>);

    #[interface(name = "org.kde.StatusNotifierWatcher")]
    impl Watcher {
        fn register_status_notifier_item(&self, service: &str, #[zbus(header)] header: Header<'_>) {
            // Some name an object of theirs, others themselves.
            let sender = header.sender().map(ToString::to_string);
            let name = if service.starts_with('/') {
                sender.unwrap_or_default()
            } else {
                service.to_owned()
            };
            self.0.lock().unwrap().push(name);
        }

        fn register_status_notifier_host(&self, _service: &str) {}

        #[zbus(property)]
        fn registered_status_notifier_items(&self) -> Vec<String> {
            self.0.lock().unwrap().clone()
        }

        #[zbus(property)]
        fn is_status_notifier_host_registered(&self) -> bool {
            true
        }

        #[zbus(property)]
        fn protocol_version(&self) -> i32 {
            0
        }

        #[zbus(signal)]
        async fn status_notifier_host_registered(emitter: &SignalEmitter<'_>) -> zbus::Result<()>;
    }

    #[derive(Clone, Serialize)]
    struct Notification {
        title: String,
        body: String,
    }

    #[derive(Clone, Default)]
    struct Notifications(Arc<Mutex<Vec<Notification>>>);

    #[interface(name = "org.freedesktop.Notifications")]
    impl Notifications {
        #[allow(clippy::too_many_arguments, reason = "as it is specified")]
        fn notify(
            &self,
            _application: &str,
            _replaces: u32,
            _icon: &str,
            title: String,
            body: String,
            _actions: Vec<String>,
            _hints: HashMap<String, OwnedValue>,
            _timeout: i32,
        ) -> u32 {
            let mut shown = self.0.lock().unwrap();
            shown.push(Notification { title, body });
            u32::try_from(shown.len()).unwrap()
        }

        fn close_notification(&self, _id: u32) {}

        fn get_capabilities(&self) -> Vec<&str> {
            vec!["actions", "body"]
        }

        fn get_server_information(&self) -> (&str, &str, &str, &str) {
            ("stand-in", "test", "1", "1.2")
        }
    }

    pub fn run() -> Result<()> {
        let (watcher, notifications) = (Watcher::default(), Notifications::default());
        let bus = Builder::session()?
            .serve_at("/StatusNotifierWatcher", watcher.clone())?
            .serve_at(NOTIFICATIONS_PATH, notifications.clone())?
            .build()?;
        for name in [WATCHER, NOTIFICATIONS] {
            bus.request_name_with_flags(name, RequestNameFlags::DoNotQueue.into())?;
        }
        say(&json!("ready"))?;
        for line in stdin().lines() {
            let line = line?;
            let (command, text) = line.split_once(' ').unwrap_or((&line, ""));
            let item = watcher.0.lock().unwrap().last().cloned();
            let answer = match (command, item) {
                ("tray", Some(item)) => tray(&bus, &item)?,
                ("choose", Some(item)) => json!(choose(&bus, &item, text)?),
                ("notifications", _) => json!(*notifications.0.lock().unwrap()),
                ("click", _) => {
                    let id = u32::try_from(notifications.0.lock().unwrap().len())?;
                    let clicked = (id, "default");
                    bus.emit_signal(
                        None::<&str>,
                        NOTIFICATIONS_PATH,
                        NOTIFICATIONS,
                        "ActionInvoked",
                        &clicked,
                    )?;
                    Json::Null
                }
                _ => Json::Null,
            };
            say(&answer)?;
        }
        Ok(())
    }

    fn say(answer: &Json) -> Result<()> {
        let mut output = stdout();
        writeln!(output, "{answer}")?;
        Ok(output.flush()?)
    }

    /// The icon as a desktop shows it.
    fn tray(bus: &Connection, item: &str) -> Result<Json> {
        let icon = Proxy::new(
            bus,
            item,
            "/StatusNotifierItem",
            "org.kde.StatusNotifierItem",
        )?;
        let status: String = icon.get_property("Status")?;
        let title: String = icon.get_property("Title")?;
        let pictures: Vec<(i32, i32, Vec<u8>)> = icon.get_property("IconPixmap")?;
        let sizes: Vec<_> = pictures
            .iter()
            .map(|(width, height, _)| (width, height))
            .collect();
        let menu: Vec<Json> = menu(bus, item)?
            .into_iter()
            .map(|line| json!({ "text": line.text, "canBeChosen": line.can_be_chosen }))
            .collect();
        Ok(json!({ "status": status, "title": title, "pictures": sizes, "menu": menu }))
    }

    struct Line {
        id: i32,
        text: String,
        can_be_chosen: bool,
    }

    type Properties = HashMap<String, OwnedValue>;
    type Layout = (i32, Properties, Vec<OwnedValue>);

    fn menu_of<'a>(bus: &'a Connection, item: &'a str) -> Result<Proxy<'a>> {
        let icon = Proxy::new(
            bus,
            item,
            "/StatusNotifierItem",
            "org.kde.StatusNotifierItem",
        )?;
        let path: zbus::zvariant::OwnedObjectPath = icon.get_property("Menu")?;
        Ok(Proxy::new(
            bus,
            item.to_owned(),
            path,
            "com.canonical.dbusmenu",
        )?)
    }

    fn menu(bus: &Connection, item: &str) -> Result<Vec<Line>> {
        let nothing: &[&str] = &[];
        let (_, (_, _, children)): (u32, Layout) =
            menu_of(bus, item)?.call("GetLayout", &(0, -1, nothing))?;
        children
            .into_iter()
            .map(|child| {
                let (id, properties, _): Layout = child.try_into()?;
                let text = |name: &str| match properties.get(name).map(|value| &**value) {
                    Some(Value::Str(text)) => text.to_string(),
                    _ => String::new(),
                };
                let is_separator = text("type") == "separator";
                let is_enabled = !matches!(
                    properties.get("enabled").map(|value| &**value),
                    Some(Value::Bool(false))
                );
                Ok(Line {
                    id,
                    text: if is_separator {
                        "-".to_owned()
                    } else {
                        text("label")
                    },
                    can_be_chosen: is_enabled && !is_separator,
                })
            })
            .collect()
    }

    /// Tells whether there is such an item.
    fn choose(bus: &Connection, item: &str, text: &str) -> Result<bool> {
        let lines = menu(bus, item)?;
        let Some(line) = lines
            .iter()
            .find(|line| line.can_be_chosen && line.text.contains(text))
        else {
            return Ok(false);
        };
        let clicked = (line.id, "clicked", Value::from(0), 0_u32);
        let _: () = menu_of(bus, item)?.call("Event", &clicked)?;
        Ok(true)
    }
}
