const SPACE: u8 = 0x20;

/** Returns the address of the first byte that is no space between values. LF is none here: it ends the line. */
export function skipSpace(at: usize): usize {
  while (isSpace(load<u8>(at))) at++;
  return at;
}

function isSpace(byte: u8): bool {
  return byte <= SPACE && (byte === SPACE || byte === 0x09 || byte === 0x0d);
}
