/** Writes a JSON pointer (RFC 6901) for people: `/server/http_port` → `server › http_port`. */
export function placeText(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(" › ");
}
