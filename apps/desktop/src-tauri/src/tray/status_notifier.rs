//! The tray of Linux desktops: a StatusNotifierItem on the session bus.

use ksni::blocking::{Handle, TrayMethods};
use ksni::menu::StandardItem;
use ksni::{Category, MenuItem, Status, ToolTip};
use tauri::AppHandle;

use super::Row;
use super::icon::picture;
use super::lines::{Line, lines, summary};
use crate::menu;
use crate::texts::texts;

pub struct Icon(Handle<Item>);

impl Icon {
    /// Nothing where there is no bus. Where there is no tray yet, the icon appears once there is one.
    pub fn start(app: &AppHandle) -> Option<Self> {
        let item = Item {
            app: app.clone(),
            rows: Vec::new(),
        };
        item.assume_sni_available(true).spawn().ok().map(Self)
    }

    pub fn show(&self, rows: Vec<Row>) {
        self.0.update(|item| item.rows = rows);
    }
}

pub struct Item {
    app: AppHandle,
    rows: Vec<Row>,
}

impl Item {
    fn run(&self, id: String) {
        let app = self.app.clone();
        // Fails when the application is ending.
        let _ = self.app.run_on_main_thread(move || menu::run(&app, &id));
    }

    fn is_waiting(&self) -> bool {
        self.rows.iter().any(|row| row.is_waiting)
    }
}

impl ksni::Tray for Item {
    fn id(&self) -> String {
        "session-manager".into()
    }

    fn title(&self) -> String {
        "Session Manager".into()
    }

    fn category(&self) -> Category {
        Category::ApplicationStatus
    }

    fn status(&self) -> Status {
        if self.is_waiting() {
            Status::NeedsAttention
        } else {
            Status::Active
        }
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        // Desktops that know no attention show the dot too.
        vec![pixmap(self.is_waiting())]
    }

    fn attention_icon_pixmap(&self) -> Vec<ksni::Icon> {
        vec![pixmap(true)]
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip {
            title: "Session Manager".into(),
            description: summary(&self.rows, texts()),
            ..ToolTip::default()
        }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        self.run(menu::SHOW_WINDOW.into());
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        lines(&self.rows, texts())
            .into_iter()
            .map(menu_item)
            .collect()
    }
}

fn menu_item(line: Line) -> MenuItem<Item> {
    match line {
        Line::Separator => MenuItem::Separator,
        Line::Heading(text) => StandardItem {
            label: label(&text),
            enabled: false,
            ..StandardItem::default()
        }
        .into(),
        Line::Item { id, text } => StandardItem {
            label: label(&text),
            activate: Box::new(move |item: &mut Item| item.run(id.clone())),
            ..StandardItem::default()
        }
        .into(),
    }
}

/// A single underscore would mark the key of an item.
fn label(text: &str) -> String {
    text.replace('_', "__")
}

/// In the order alpha, red, green, blue.
fn pixmap(is_waiting: bool) -> ksni::Icon {
    let picture = picture(is_waiting);
    let mut data = picture.rgba().to_vec();
    for pixel in data.as_chunks_mut::<4>().0 {
        pixel.rotate_right(1);
    }
    ksni::Icon {
        width: picture.width().cast_signed(),
        height: picture.height().cast_signed(),
        data,
    }
}
