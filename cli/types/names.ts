/** Names of types, which must be distinct and valid in every language. */

/** Returns words of any text as the beginning of a name: `my-agent_2` is `MyAgent2`. */
export function pascalCase(text: string): string {
  // Python reads identifiers in this form, so it is the only one that is the same in both languages.
  const words = text.normalize("NFKC").split(/[^\p{L}\p{Nd}]+/u);
  const name = words.map(([first = "", ...rest]) => first.toUpperCase() + rest.join("")).join("");
  return /^\p{Nd}/u.test(name) ? `_${name}` : name;
}

/** The names of a file. */
export class Names {
  private readonly taken = new Set<string>();

  /** Returns this name, with a number where it is taken. */
  reserve(name: string): string {
    let free = name;
    for (let count = 2; this.taken.has(free); count++) free = `${name}${count}`;
    this.taken.add(free);
    return free;
  }
}
