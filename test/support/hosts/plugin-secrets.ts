/** Secrets as the engine marks them in requests and responses of plugins. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270" };

export const secret = (value: unknown) => ({ ...SECRET, value });

/** Returns the paths of the texts that contain a secret that is not marked. */
export function unmarkedPaths(value: unknown, text: string, path = ""): string[] {
  if (typeof value === "string") return value.includes(text) ? [path] : [];
  if (typeof value !== "object" || value === null || SIGNATURE in value) return [];
  return Object.entries(value).flatMap(([key, part]) => unmarkedPaths(part, text, `${path}.${key}`));
}
