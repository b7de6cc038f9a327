/** Shorter values would make every text unreadable where they are part of a word: they are masked where they stand alone. */
const SHORT = 4;

/** Replaces the values of secrets, also line by line and as JSON writes them. */
export function mask(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), ...linesOf(value)]);
  const found = [...new Set(forms)].filter((form) => form.trim() !== "").sort((a, b) => b.length - a.length);
  return found.reduce((masked, form) => masked.replaceAll(patternOf(form), "[secret]"), text);
}

/** The braces of a secret that is JSON tell nothing. */
const linesOf = (value: string) => value.split("\n").filter((line) => line.trim().length >= SHORT);

function patternOf(form: string): string | RegExp {
  if (form.length >= SHORT) return form;
  return new RegExp(`(?<!\\w)${form.replace(/[^\w]/g, "\\$&")}(?!\\w)`, "g");
}
