/** Limits the size of a text: items that do not fit are counted instead. */

export const byteLength = (text: string) => Buffer.byteLength(text, "utf8");

/** Bytes reserved for the line that counts the omitted items. */
const NOTE_BYTES = 80;

export interface Section {
  /** Text before and after the items. */
  open: string;
  close: string;
  items: readonly string[];
  /** Prefix of the line that counts the omitted items. */
  prefix: string;
}

/** Returns as many items as fit, and the number of those that do not. Returns no text if not even the frame fits. */
export function fitWithin(
  { open, close, items, prefix }: Section,
  maxBytes: number,
): { text: string; omitted: number } {
  const frame = byteLength(`${open}\n${close}\n\n`) + NOTE_BYTES + byteLength(prefix);
  if (frame > maxBytes || items.length === 0) return { text: "", omitted: items.length };
  const included: string[] = [];
  let used = frame;
  for (const item of items) {
    used += byteLength(item) + 1;
    if (used > maxBytes) break;
    included.push(item);
  }
  const omitted = items.length - included.length;
  const note = omitted > 0 ? [`${prefix}… and ${omitted} more`] : [];
  return { text: [open, ...included, ...note, close].filter(Boolean).join("\n"), omitted };
}
