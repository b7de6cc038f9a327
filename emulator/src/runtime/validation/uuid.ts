/** Lengths of the first four groups of a hyphenated UUID. The last one starts at 24 and has a length of 12. */
const groupLengths = [8, 4, 4, 4];

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
  if (text.startsWith("{") && text.endsWith("}")) return [text.slice(1, -1), 1, false];
  if (text.startsWith("urn:uuid:")) return [text.slice(9), 9, false];
  return [text, 0, true];
}

function explainInvalidUuid(text: string, body: string, offset: number, simple: boolean): string {
  const invalidCharacter = /[^0-9a-f-]/iu.exec(body);
  if (invalidCharacter) {
    const prefix = "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-]";
    return `${prefix}, found \`${invalidCharacter[0]}\` at ${invalidCharacter.index + offset + 1}`;
  }
  const groups = body.split("-");
  if (groups.length === 1 && simple)
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  if (groups.length !== 5) return `invalid group count: expected 5, found ${groups.length}`;
  for (const [group, length] of groupLengths.entries()) {
    const found = groups[group]?.length;
    if (found !== length) return `invalid group length in group ${group}: expected ${length}, found ${found}`;
  }
  // As in real servers, the last group includes a closing brace and what precedes the others.
  return `invalid group length in group 4: expected 12, found ${text.length - 24}`;
}
