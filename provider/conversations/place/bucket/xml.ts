/** The few things that responses of a bucket are read for. */

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export const contentsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g"))].map(([, inner = ""]) => inner);

/** Returns the text of the first element of this name. */
export function textOf(xml: string, name: string): string | undefined {
  const [inner] = contentsOf(xml, name);
  return inner?.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, entity) =>
    entity === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (ENTITIES[entity] ?? whole),
  );
}
