/** Replaces the values of secrets, also line by line and as JSON writes them. */
export function mask(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), ...value.split("\n")]);
  const found = [...new Set(forms)].filter((form) => form.trim() !== "").sort((a, b) => b.length - a.length);
  return found.reduce((masked, form) => masked.replaceAll(form, "[secret]"), text);
}
