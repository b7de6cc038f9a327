/** The subset of XML that S3 uses: no significant attributes, no mixed content, no recursion. */

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Escapes element text. Control characters become references, because parsers normalize a bare carriage return. */
export function escapeXml(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\p{Cc}/gu, (control) => `&#x${control.charCodeAt(0).toString(16)};`);
}

/** Returns the inner XML of each element of this name. */
export function elementContents(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?(?:/>|>([\\s\\S]*?)</${name}>)`, "g"))].map(
    ([, inner]) => inner ?? "",
  );
}

/** Returns the text of the first element of this name. */
export function elementText(xml: string, name: string): string | undefined {
  const [inner] = elementContents(xml, name);
  return inner === undefined ? undefined : unescapeXml(inner);
}
