/** Ownership markers: how a resource recognizes what its interrupted run created (docs/internal/decisions.md). */
import { UserError } from "../text/user-error";
import { dynamicToken, kindOfToken } from "./type-token";

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

export function parseMarker(text: string): Marker | undefined {
  const match = /^(.*?)\/urn:pulumi:(.*?)::(.*?)::(.*)$/s.exec(text);
  if (!match) return undefined;
  const [, owner = "", stack = "", project = "", resource = ""] = match;
  return { owner, stack, project, resource, urn: text.slice(owner.length + 1) };
}

/**
 * Returns a marker with the types of dynamic resources in place of those of the native provider: both manage the same
 * resource, before and after a program moves from one to the other. For comparisons only; messages show the real URN.
 */
export function canonicalMarker(marker: string): string {
  const { resource } = parseMarker(marker) ?? {};
  if (resource === undefined) return marker;
  const [type, name] = splitResource(resource);
  return `${marker.slice(0, marker.length - resource.length)}${canonicalType(type)}::${name}`;
}

const canonicalType = (type: string): string =>
  type
    .split("$")
    .map((token) => {
      const kind = kindOfToken(token);
      return kind === undefined ? token : dynamicToken(kind);
    })
    .join("$");

/** Whether two markers name the same resource. Their ends differ for most, and each create compares hundreds. */
export const isSameMarker = (left: string, right: string): boolean =>
  endOf(left) === endOf(right) && canonicalMarker(left) === canonicalMarker(right);

const endOf = (marker: string) => marker.slice(marker.lastIndexOf(":"));

/** Whether two markers belong to the same stack of the same owner, so that the resource was probably renamed. */
export function isSameStack(left: string, right: string): boolean {
  const [a, b] = [parseMarker(left), parseMarker(right)];
  return a !== undefined && b !== undefined && a.owner === b.owner && a.stack === b.stack && a.project === b.project;
}

/** Returns the URN of a resource's stack; empty when there is none. */
export function stackUrnOf(urn: string): string {
  const { stack, project } = parseMarker(`/${urn}`) ?? {};
  return stack === undefined ? "" : `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`;
}

/**
 * Returns the resource option that keeps a resource whose name or parent changed in the program.
 * @param before The marker of the old URN. @param now The marker of the new URN, of the same stack.
 */
export function aliasesOption(before: string, now: string): string {
  const [previous, current] = [parseMarker(before), parseMarker(now)];
  const [oldType, oldName] = splitResource(previous?.resource ?? "");
  const [type, name] = splitResource(current?.resource ?? "");
  if (oldType === type && oldName !== name) return `aliases: [{ name: ${JSON.stringify(oldName)} }]`;
  if (oldType !== type && canonicalType(oldType) === canonicalType(type)) {
    const renamed = oldName === name ? "" : `, name: ${JSON.stringify(oldName)}`;
    return `aliases: [{ type: ${JSON.stringify(oldType.split("$").at(-1))}${renamed} }]`;
  }
  // A type without parents: its parent was the stack.
  const isTop = !oldType.includes("$") && type.endsWith(`$${oldType}`);
  const renamed = oldName === name ? "" : `name: ${JSON.stringify(oldName)}, `;
  if (isTop) return `aliases: [{ ${renamed}parent: pulumi.rootStackResource }]`;
  return `aliases: [${JSON.stringify(before.slice(before.indexOf("/urn:pulumi:") + 1))}]`;
}

/** Advises an alias: an import would add a second entry. @param before The other's marker. @param place Of markers. */
export function describeSibling(before: string | undefined, now: string, place: string): string {
  const owner = before === undefined ? "under another name" : `as ${parseMarker(before)?.urn}`;
  const option = before === undefined ? 'aliases: [{ name: "<its old name>" }]' : aliasesOption(before, now);
  return (
    `is already managed by this stack ${owner}. No changes were made.\n` +
    `If you renamed or moved the resource, add to its options, without import:  ${option}\n` +
    `If that entry is no longer in this stack's state (pulumi stack --show-ids), set ${place} to null on the ` +
    "server, and then import the object."
  );
}

function splitResource(resource: string): [type: string, name: string] {
  const [type = "", ...name] = resource.split("::");
  return [type, name.join("::")];
}

/** The hint for objects that the engine replaces without asking diff: its create finds the old one. */
export const REPLACE_HINT =
  "To replace it with `--replace` or `pulumi state taint`, add to the resource options:  deleteBeforeReplace: " +
  "true  (Python: delete_before_replace=True)";

export class OwnershipError extends UserError {
  override name = "OwnershipError";
}

/** The configured server or workspace is not the one that the object was created in. */
export class WrongServerError extends UserError {
  override name = "WrongServerError";
  override readonly concernsStoredSettings: boolean = true;

  /** @param where Where the object is according to state. @param now What the settings or the API key point to. */
  constructor(where: string, now: string) {
    super(
      `This resource was created ${where}, but ${now}. No changes were made.\n` +
        "Check that the stack and the settings are the right ones. If the server has moved, set " +
        "agentgraph:allowServerChange to true (with an explicit Provider: its argument allowServerChange), and run " +
        "`pulumi up --refresh --run-program`.",
    );
  }
}
