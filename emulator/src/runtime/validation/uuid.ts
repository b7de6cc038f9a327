/** Start offsets of the groups of a hyphenated UUID. */
const groupStarts = [0, 9, 14, 19, 24];
const groupLengths = [8, 4, 4, 4, 12];

/** Parses a UUID into its canonical form, or returns the error message of the parser of real servers. */
export function parseUuid(text: string): { uuid: string } | { error: string } {
  const [body, offset, simple] = unwrap(text);
  const plain = body.replaceAll("-", "");
  const hyphenated = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(body);
  if (!hyphenated && !(simple && /^[0-9a-f]{32}$/i.test(body)))
    return { error: explainInvalidUuid(text, body, offset, simple) };
  return { uuid: plain.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") };
}

function unwrap(text: string): [body: string, offset: number, simple: boolean] {
  if (text.startsWith("{") && text.endsWith("}") && text.length > 1) return [text.slice(1, -1), 1, false];
  if (text.startsWith("urn:uuid:")) return [text.slice(9), 9, false];
  return [text, 0, true];
}

function explainInvalidUuid(text: string, body: string, offset: number, simple: boolean): string {
  const invalidCharacter = /[^0-9a-f-]/iu.exec(body);
  if (invalidCharacter) {
    const prefix = "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-]";
    return `${prefix}, found \`${invalidCharacter[0]}\` at ${Buffer.byteLength(body.slice(0, invalidCharacter.index)) + offset + 1}`;
  }
  const hyphens = [...body.matchAll(/-/g)].map((match) => match.index);
  if (hyphens.length === 0 && simple)
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  if (hyphens.length !== 4) return `invalid group count: expected 5, found ${hyphens.length + 1}`;
  for (const [group, hyphen] of hyphens.entries()) {
    const start = groupStarts[group] ?? 0;
    const length = groupLengths[group] ?? 0;
    if (hyphen !== start + length)
      return `invalid group length in group ${group}: expected ${length}, found ${hyphen - start}`;
  }
  return `invalid group length in group 4: expected 12, found ${text.length - 24}`;
}
