/** Removes secrets from everything that the suite prints or writes. */

/** Returns a function that replaces every one of these values, also in the forms in which outputs quote them. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
  ]);
  // The longest first: one secret may be a part of another.
  const all = [...new Set(forms)].filter(Boolean).sort((one, other) => other.length - one.length);
  return (text) => all.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}
