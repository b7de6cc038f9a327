/** The mark by which a resource recognises what an interrupted run of it made (docs/design-decisions.md). */
import { UserError } from "../text/user-error";

/** `<owner>/<URN>`: who runs the program, and which resource of it. */
export function ownershipMarker(owner: string, urn: string): string {
  return `${owner}/${urn}`;
}

export interface Marker {
  owner: string;
  stack: string;
  project: string;
  /** The resource's type and name. */
  resource: string;
  urn: string;
}

/** The parts of a marker; undefined when the text is none. */
export function parseMarker(text: string): Marker | undefined {
  const match = /^(.*?)\/urn:pulumi:(.*?)::(.*?)::(.*)$/s.exec(text);
  if (!match) return undefined;
  const [, owner = "", stack = "", project = "", resource = ""] = match;
  return { owner, stack, project, resource, urn: text.slice(owner.length + 1) };
}

/** Whether two markers are of the same stack of the same owner: then the resource was probably only renamed. */
export function isSameStack(left: string, right: string): boolean {
  const [a, b] = [parseMarker(left), parseMarker(right)];
  return a !== undefined && b !== undefined && a.owner === b.owner && a.stack === b.stack && a.project === b.project;
}

/** The URN of the stack that a resource's URN names, on whose row the whole run reports; empty when there is none. */
export function stackUrnOf(urn: string): string {
  const { stack, project } = parseMarker(`/${urn}`) ?? {};
  return stack === undefined ? "" : `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`;
}

/**
 * The option that keeps a resource which the program moved: its name, its parent or both were others.
 * @param before The marker that the old URN left; @param now the marker of the new one; both of one stack.
 */
export function aliasesOption(before: string, now: string): string {
  const [old, current] = [parseMarker(before), parseMarker(now)];
  const [oldType, oldName] = splitResource(old?.resource ?? "");
  const [type, name] = splitResource(current?.resource ?? "");
  if (oldType === type && oldName !== name) return `aliases: [{ name: ${JSON.stringify(oldName)} }]`;
  // Only its own type: it had no parent but the stack.
  const isTop = !oldType.includes("$") && type.endsWith(`$${oldType}`);
  const renamed = oldName === name ? "" : `name: ${JSON.stringify(oldName)}, `;
  if (isTop) return `aliases: [{ ${renamed}parent: pulumi.rootStackResource }]`;
  return `aliases: [${JSON.stringify(before.slice(before.indexOf("/urn:pulumi:") + 1))}]`;
}

/** The type with those of its parents, and the name. */
function splitResource(resource: string): [type: string, name: string] {
  const [type = "", ...name] = resource.split("::");
  return [type, name.join("::")];
}

/** The object exists but is not ours to touch. */
export class OwnershipError extends UserError {
  override name = "OwnershipError";
}

/** The server or workspace is not the one that holds the object. */
export class WrongServerError extends UserError {
  override name = "WrongServerError";

  /**
   * @param where Where the object is, by state.
   * @param now What the settings or the key say.
   */
  constructor(where: string, now: string) {
    super(
      `This resource is ${where}, but ${now}. Nothing was changed.\n` +
        "Is this the right stack, and are these the right settings? If the service really moved, set agentgraph:allowServerChange to true (of an explicit Provider: its argument allowServerChange).",
    );
  }
}
