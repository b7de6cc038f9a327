/** Texts of any characters. */
import fc from "fast-check";

/**
 * Any character; a surrogate alone is none. fast-check's unit `binary` first maps all 1.1 million of them, which takes
 * a second.
 */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** A text of any characters. */
export const anyText = (limits: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ ...limits, unit: character });
