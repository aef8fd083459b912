// Each function returns the address behind what begins at `at`, 0 where it is none.

export function isDigit(byte: u8): bool {
  return u8(byte - 0x30) < 10;
}

/** `null`, `true` or `false`. */
export function literalEnd(at: usize): usize {
  const word = load<u32>(at);
  if (word === 0x6c6c756e || word === 0x65757274) return at + 4;
  // `fals`, `e`
  return word === 0x736c6166 && load<u8>(at, 4) === 0x65 ? at + 5 : 0;
}

export function numberEnd(at: usize): usize {
  if (load<u8>(at) === 0x2d) at++;
  if (load<u8>(at) === 0x30) at++;
  else at = digitsEnd(at);
  if (at !== 0 && load<u8>(at) === 0x2e) at = digitsEnd(at + 1);
  if (at !== 0 && (load<u8>(at) | 0x20) === 0x65) {
    const sign = load<u8>(at, 1);
    at = digitsEnd(at + (sign === 0x2b || sign === 0x2d ? 2 : 1));
  }
  return at;
}

/** At least one digit. */
function digitsEnd(from: usize): usize {
  let at = from;
  while (isDigit(load<u8>(at))) at++;
  return at === from ? 0 : at;
}
