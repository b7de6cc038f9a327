/** Limits the size of a text: items that do not fit are counted instead. */

export const bytes = (text: string) => Buffer.byteLength(text, "utf8");

/** Bytes reserved for the line that counts the omitted items. */
const NOTE = 80;

export interface Section {
  /** Text before and after the items. */
  open: string;
  close: string;
  items: readonly string[];
  /** Prefix of the line that counts the omitted items. */
  prefix: string;
}

/** Returns as many items as fit, and the number of those that do not. Returns no text if not even the frame fits. */
export function fitted({ open, close, items, prefix }: Section, room: number): { text: string; leftOut: number } {
  const frame = bytes(`${open}\n${close}\n\n`) + NOTE + bytes(prefix);
  if (frame > room || items.length === 0) return { text: "", leftOut: items.length };
  const kept: string[] = [];
  let used = frame;
  for (const item of items) {
    used += bytes(item) + 1;
    if (used > room) break;
    kept.push(item);
  }
  const leftOut = items.length - kept.length;
  const note = leftOut > 0 ? [`${prefix}… and ${leftOut} more`] : [];
  return { text: [open, ...kept, ...note, close].filter(Boolean).join("\n"), leftOut };
}
