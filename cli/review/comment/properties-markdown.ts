/** Formats changed properties as Markdown. */
import { codeBlock, singleLine } from "../../shared/text/markdown";
import type { Change } from "../change";
import type { Property } from "../properties";

/** Returns the changed properties of a resource as a diff. */
export function propertiesMarkdown(change: Change): string {
  const shown = change.properties.slice(0, MAX_PROPERTIES);
  const omitted = change.properties.length - shown.length;
  const lines = shown.flatMap(diffLines);
  return codeBlock(omitted > 0 ? [...lines, `  … and ${omitted} more`] : lines, "diff");
}
/** Properties that are shown of one resource. */
const MAX_PROPERTIES = 50;
/** Characters of a value: an image with a digest is long, and differs at the end. */
const MAX_VALUE_LENGTH = 300;

/** Returns lines of a diff; for a secret, only its name. */
function diffLines({ path, kind, isSecret, before, after }: Property): string[] {
  const name = singleLine(path);
  const [from, to] = isSecret ? ["[secret]", "[secret]"] : [before, after];
  if (isSecret && kind === "update") return [`! ${name}: [secret] changed`];
  return [
    ...(kind !== "add" && from !== undefined ? [`- ${name}: ${singleLine(from, MAX_VALUE_LENGTH)}`] : []),
    ...(kind !== "delete" && to !== undefined ? [`+ ${name}: ${singleLine(to, MAX_VALUE_LENGTH)}`] : []),
  ];
}
