/** Normal forms: the same text for all spellings of a value that mean the same. Pure. */

/** Returns a URL without irrelevant differences: case of the host, port, escapes, trailing slashes, bare `?`, `#`. */
export function normalizeUrl(url: unknown): string {
  const text = String(url);
  if (!URL.canParse(text)) return text.replace(/\/+$/, "");
  const parsed = new URL(text);
  // Assigning the empty text removes the character in front of it.
  if (parsed.search === "") parsed.search = "";
  if (parsed.hash === "") parsed.hash = "";
  return parsed.href.replace(/%[0-9a-f]{2}/gi, normalizeEscape).replace(/\/+$/, "");
}

function normalizeEscape(code: string): string {
  const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(char) ? char : code.toUpperCase();
}

const SCP_FORM = /^([^@/:\s]+)@([^:/\s]+):(?!\/)(.+)$/;
const SSH_URL = /^(ssh:\/\/)([^@/]+@)?([^/:]+)(?::22)?(?=\/|$|:)/i;

/** Returns the URL of a repository also without `.git`. `git@host:path` is SSH; other protocols differ. */
export function normalizeRepository(url: unknown): string {
  const text = String(url).trim().replace(SCP_FORM, "ssh://$1@$2/$3");
  return normalizeUrl(text)
    .replace(SSH_URL, (_all, scheme: string, user = "", host: string) => `${scheme}${user}${host.toLowerCase()}`)
    .replace(/\.git$/, "")
    .replace(/\/+$/, "");
}

/** Returns the prefix of keys in a bucket, which servers end with one slash. */
export const normalizePrefix = (prefix: unknown): string => String(prefix).replace(/\/+$/, "");

export const caseless = (value: unknown): string => String(value).toLowerCase();
