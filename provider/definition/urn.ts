/** Names of resources in Pulumi's state. */

export interface UrnParts {
  stack: string;
  project: string;
  /** The type, without those of the parents. */
  type: string;
  /** The name in the program. It may contain the separator of URNs. */
  name: string;
}

/** Returns the parts of a URN; those that it lacks are empty. */
export function parseUrn(urn: string): UrnParts {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
