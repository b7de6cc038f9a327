/** Truncates a text. The ellipsis lets redact.ts recognize a secret of which only the beginning is left. */
export const truncate = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
