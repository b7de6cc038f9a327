/** A text that must not grow beyond a number of bytes: what does not fit is counted, and said. */

export const bytes = (text: string) => Buffer.byteLength(text, "utf8");

/** Bytes that the line about what is left out may take. */
const NOTE = 80;

export interface Section {
  /** What stands before and after the items. */
  open: string;
  close: string;
  items: readonly string[];
  /** Stands before the line that says how many items are left out. */
  prefix: string;
}

/** As many items as fit into so many bytes. Nothing at all where not even the frame does. */
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
  const note = leftOut > 0 ? [`${prefix}… and ${leftOut} more, left out here`] : [];
  return { text: [open, ...kept, ...note, close].filter(Boolean).join("\n"), leftOut };
}
