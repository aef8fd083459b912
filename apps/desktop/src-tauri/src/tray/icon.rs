//! The picture of the icon.

use tauri::image::Image;

const PICTURE: Image<'static> = tauri::include_image!("./icons/128x128.png");
const ATTENTION: [u8; 4] = [0xe5, 0x8a, 0x00, 0xff];

/// The picture, with a dot if something waits for the user.
pub fn picture(is_waiting: bool) -> Image<'static> {
    let (width, height) = (PICTURE.width(), PICTURE.height());
    let mut rgba = PICTURE.rgba().to_vec();
    if is_waiting {
        // In the lower right corner, as wide as two fifths of the picture.
        let radius = i64::from(width) / 5;
        let center = (i64::from(width) - radius, i64::from(height) - radius);
        let (pixels, _) = rgba.as_chunks_mut::<4>();
        for (at, pixel) in (0..).zip(pixels) {
            let (x, y) = (at % i64::from(width), at / i64::from(width));
            if (x - center.0).pow(2) + (y - center.1).pow(2) < radius.pow(2) {
                *pixel = ATTENTION;
            }
        }
    }
    Image::new_owned(rgba, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_a_dot_where_something_waits() {
        let dots = |is_waiting| {
            let picture = picture(is_waiting);
            let (pixels, _) = picture.rgba().as_chunks::<4>();
            pixels.iter().filter(|pixel| **pixel == ATTENTION).count()
        };
        assert_eq!(dots(false), 0);
        assert!(dots(true) > 1_000);
    }
}
