/** Unique names of resources, of variables, and of secrets in the configuration. */

/** How a language names variables. */
export interface Naming {
  /** Reserved words, and names that the program itself or the language uses. */
  reserved: readonly string[];
  /** Converts any text to the form of variables. */
  toVariable(text: string): string;
  /** Whether configuration keys and variables are the same names in a program. */
  hasSharedNames?: boolean;
}

export class Names {
  /** Kinds by the names that they use. */
  private readonly resources = new Map<string, string>();
  private readonly variables: Set<string>;
  private readonly keys: Set<string>;

  constructor(private readonly naming: Naming) {
    this.variables = new Set(naming.reserved);
    this.keys = naming.hasSharedNames ? this.variables : new Set();
  }

  /**
   * Returns a unique name for a resource, and one for its variable.
   * @param preferred Name of the resource on the server.
   * @param kind Kind of the resource, added if the name is taken or has no letters.
   */
  nameResource(preferred: string, kind: string): { name: string; variable: string } {
    const safeName = preferred
      .normalize("NFKD")
      .replace(/[\p{M}'’]/gu, "")
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "");
    const base = safeName === "" ? kind : safeName;
    const isFree = (name: string) => !this.resources.has(name.toLowerCase());
    const holderKind = this.resources.get(base.toLowerCase());
    const name = uniqueName(holderKind === undefined || holderKind === kind ? base : `${base}-${kind}`, "-", isFree);
    this.resources.set(name.toLowerCase(), kind);
    const { toVariable } = this.naming;
    const variable = toVariable(name);
    const start =
      /^[A-Za-z]/.test(variable) && !this.variables.has(variable) ? variable : toVariable(`${kind}-${name}`);
    return { name, variable: claimName(this.variables, start) };
  }

  /** Returns the configuration key for a secret of a resource, such as `supportAgentModelApiKey`. */
  nameSecret(variable: string, path: string): string {
    return claimName(this.keys, camelCase(`${variable}-${path}`));
  }
}

function claimName(names: Set<string>, preferred: string): string {
  const name = uniqueName(preferred, "", (other) => !names.has(other));
  names.add(name);
  return name;
}

function uniqueName(preferred: string, separator: string, isFree: (name: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? preferred : `${preferred}${separator}${count}`;
    if (isFree(name)) return name;
  }
}

/** Quotes an argument of a command for bash and zsh; invisible characters become escapes. */
export function quoteShell(text: string): string {
  if (!INVISIBLE.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, "\\$&").replace(new RegExp(INVISIBLE, "gu"), (character) => {
    const bytes = [...Buffer.from(character)];
    return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  });
  return `$'${escaped}'`;
}
const INVISIBLE = /[^\S ]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** `MODEL_API_KEY`, `model-api-key` and `modelApiKey` all become `modelApiKey`. */
export const camelCase = (text: string): string =>
  wordsOf(text)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");

/** `MODEL_API_KEY`, `model-api-key` and `modelApiKey` all become `model_api_key`. */
export const snakeCase = (text: string): string => wordsOf(text).join("_");

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
