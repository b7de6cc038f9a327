/** The little XML that S3 speaks: no attributes that matter, no mixed content, nothing recursive. */

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Text as it stands between two tags. A control character as a reference, since parsers turn a bare return into a new line. */
export function escapeXml(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\p{Cc}/gu, (control) => `&#x${control.charCodeAt(0).toString(16)};`);
}

/** What stands inside each element of this name, still as XML. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?(?:/>|>([\\s\\S]*?)</${name}>)`, "g"))].map(
    ([, inner]) => inner ?? "",
  );
}

/** The text of the first element of this name. */
export function textOf(xml: string, name: string): string | undefined {
  const [inner] = elements(xml, name);
  return inner === undefined ? undefined : unescapeXml(inner);
}
