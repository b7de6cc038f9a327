/**
 * The rows and rules of the interface's text, each with a key made of its section and its first cell, such as
 * `2A.Deployment.name`, `4A.POST /v2/deployments` or `3.1`. Only the parts that are asked for; sections that belong to
 * no part count for all.
 */
export function rowsOf(text: string, parts: readonly string[]): string[] {
  const keys: string[] = [];
  let [section, part, title, header, items] = ["", "", "", [] as string[], 0];
  const add = (...names: string[]) => {
    const key = `${section}${part}.${names.filter((name) => name !== "").join(".")}`;
    keys.push(keys.includes(key) ? `${key} (again)` : key);
  };
  for (const line of text.split("\n")) {
    const heading = /^## (\d+)\. /.exec(line)?.[1];
    if (heading) [section, part, title, items] = [heading, "", "", 0];
    part = /^(?:### |\*\*)([A-Z])\. /.exec(line)?.[1] ?? part;
    if (section === "" || (part !== "" && !parts.includes(part))) continue;
    if (line.startsWith("|")) {
      const cells = line.slice(1, -1).split(" | ").map(plain);
      if (header.length === 0) header = cells;
      else if (!/^\W+$/.test(line)) for (const name of namesOf(cells, header)) add(title, name);
      continue;
    }
    header = [];
    const rule = /^(\d+)\. /.exec(line)?.[1];
    if (rule) add(rule);
    else if (line.startsWith("- ")) add(`item ${++items}`);
    else if (line !== "" && !line.startsWith("#")) title = "";
    for (const [, name = "", rest = ""] of line.startsWith("**") ? line.matchAll(BOLD) : []) {
      if (/^[A-Z]\. /.test(name)) continue;
      title = name;
      if (rest.startsWith(":")) for (const field of fieldsOf(rest)) add(title, field);
      else if (rest.trim() !== "") add(title);
    }
  }
  return keys;
}

/** A bold name at the beginning of a line or after another, and what is said of it. */
const BOLD = /\*\*([^*]+)\*\*((?:(?!\*\*).)*)/g;

const plain = (cell: string) => cell.replaceAll("`", "").trim();

/** One row may stand for several fields; the operations of a table are told apart by method and path together. */
function namesOf([first = "", second = ""]: string[], [column]: string[]): string[] {
  if (column === "Method") return [`${first} ${second}`];
  const names = first.split(", ");
  return names.every((name) => /^\w+$/.test(name)) ? names : [first];
}

/** The fields that the first sentence of a definition lists, without what it says of them in brackets. */
function fieldsOf(definition: string): string[] {
  const [sentence = ""] = definition.replace(/\([^)]*\)/g, "").split(". ");
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, field = ""]) => field);
}
