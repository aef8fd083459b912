//! The lines of the menu.

use super::Row;
use crate::menu;
use crate::texts::Texts;

/// A menu that is longer than the screen is of no use.
const MOST_ROWS: usize = 20;
const MOST_CHARACTERS: usize = 80;

#[derive(Debug, PartialEq)]
pub enum Line {
    /// Text that cannot be chosen.
    Heading(String),
    Item {
        /// For `menu::run`.
        id: String,
        text: String,
    },
    Separator,
}

/// What waits comes first.
pub fn lines(rows: &[Row], texts: &Texts) -> Vec<Line> {
    let words = &texts.tray;
    let shown = &rows[..rows.len().min(MOST_ROWS)];
    let mut lines = Vec::new();
    for (heading, is_waiting) in [(words.waiting, true), (words.running, false)] {
        let mut group = shown
            .iter()
            .filter(|row| row.is_waiting == is_waiting)
            .peekable();
        if group.peek().is_some() {
            lines.push(Line::Heading(heading.to_owned()));
            lines.extend(group.map(row_line));
            lines.push(Line::Separator);
        }
    }
    if lines.is_empty() {
        lines.push(Line::Heading(words.nothing.to_owned()));
        lines.push(Line::Separator);
    }
    lines.push(item(menu::SHOW_WINDOW, words.show_window));
    lines.push(item(menu::QUIT, texts.menu.quit));
    lines
}

/// What is told of all rows where the pointer is on the icon.
pub fn summary(rows: &[Row], texts: &Texts) -> String {
    let waiting = rows.iter().filter(|row| row.is_waiting).count();
    let counts = [
        (texts.tray.waiting, waiting),
        (texts.tray.running, rows.len() - waiting),
    ];
    let told = counts.iter().filter(|(_, count)| *count > 0);
    Vec::from_iter(told.map(|(name, count)| format!("{name}: {count}"))).join(" · ")
}

fn row_line(row: &Row) -> Line {
    let mut text: String = row.text.chars().take(MOST_CHARACTERS).collect();
    if text.len() < row.text.len() {
        text.push('…');
    }
    let id = format!("{}{}", menu::ADDRESS, row.address);
    Line::Item { id, text }
}

fn item(id: &str, text: &str) -> Line {
    Line::Item {
        id: id.to_owned(),
        text: text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::ENGLISH;

    fn row(text: &str, is_waiting: bool) -> Row {
        Row {
            text: text.to_owned(),
            address: format!("/live?session={text}"),
            is_waiting,
        }
    }

    /// What stands in the menu: items with a dot, lines as `-`.
    fn shown(rows: &[Row]) -> Vec<String> {
        let text = |line| match line {
            Line::Heading(text) => text,
            Line::Item { text, .. } => format!(". {text}"),
            Line::Separator => "-".to_owned(),
        };
        lines(rows, &ENGLISH).into_iter().map(text).collect()
    }

    #[test]
    fn has_what_waits_first() {
        let rows = [row("a", false), row("b", true)];
        assert_eq!(
            shown(&rows),
            [
                "Waiting for You",
                ". b",
                "-",
                "Running",
                ". a",
                "-",
                ". Open Session Manager",
                ". Quit"
            ]
        );
        assert_eq!(summary(&rows, &ENGLISH), "Waiting for You: 1 · Running: 1");
    }

    #[test]
    fn says_that_there_is_nothing() {
        assert_eq!(
            shown(&[]),
            [
                "No Agent Is Running",
                "-",
                ". Open Session Manager",
                ". Quit"
            ]
        );
        assert_eq!(summary(&[], &ENGLISH), "");
    }

    #[test]
    fn leads_to_the_address_of_a_row() {
        let id = "address:/live?session=a".to_owned();
        let text = "a".to_owned();
        assert!(lines(&[row("a", false)], &ENGLISH).contains(&Line::Item { id, text }));
    }

    #[test]
    fn fits_on_the_screen() {
        let long = "ü".repeat(10_000);
        let rows = vec![row(&long, true); 1_000];
        let all = shown(&rows);
        assert_eq!(all.len(), MOST_ROWS + 4);
        assert_eq!(all[1], format!(". {}…", "ü".repeat(MOST_CHARACTERS)));
    }
}
