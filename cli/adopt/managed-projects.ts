/**
 * Finds out whose exports and destinations are. They have no ownership marker, but the deployment whose traces they
 * export may have one.
 */
import type { Clients } from "../../provider/api/clients";
import { MARKER } from "../../provider/api/control-plane/schemas";
import { collectAll } from "../../provider/api/pagination";
import type { Remote } from "../../provider/definition/listing";
import { parseMarker } from "../../provider/definition/ownership";
import { HttpError } from "../../provider/http/errors";
import { isMasked } from "../../provider/resources/deployment/mapping/marker";
import { pathsOf } from "../../provider/schema/fields";
import { describeMissing } from "../../provider/settings/setting-warnings";
import type { Settings } from "../../provider/settings/settings";
import { type Adopted, definitionOf, type Kind } from "./types";

/** A deployment that another Pulumi program manages. */
interface ManagedDeployment {
  name: string;
  owner: string;
}

export interface ManagedProjects {
  /** The managed deployments by the IDs of their tracing projects. */
  byId: ReadonlyMap<string, ManagedDeployment>;
  /** Why some may be missing. */
  caution?: string;
}

const INCLUDE_OWNED = "(adopt it with --include-owned)";
/** The reason to skip an object. @param owner As `describeOwner` and `hiddenOwner` return it. */
export const managedBy = (owner: string): string => `managed by ${owner} ${INCLUDE_OWNED}`;

/** Describes the owner in an ownership marker; a marker of another tool is returned unchanged. */
export function describeOwner(marker: string): string {
  const { stack, project, resource } = parseMarker(marker) ?? {};
  const [, name] = /^.+?::(.+)$/s.exec(resource ?? "") ?? [];
  return name === undefined ? marker : `${name} in stack ${stack} of project ${project}`;
}

type RemoteDeployment = Awaited<ReturnType<Clients["controlPlane"]["readDeployment"]>>;

/** Describes the owner of a deployment; undefined if it has no ownership marker. */
function ownerOf(deployment: RemoteDeployment): string | undefined {
  const marker = deployment.secrets?.find(({ name }) => name === MARKER);
  if (!marker) return undefined;
  return isMasked(deployment) ? HIDDEN_OWNER : describeOwner(String(marker.value));
}
const HIDDEN_OWNER = "a Pulumi resource, which this server does not name, because it hides the values of secrets";

/** Returns the owner of a deployment whose marker reads as absent, because the server hides the values of secrets. */
export async function hiddenOwner(
  kind: Kind,
  id: string,
  clients: Pick<Clients, "deploymentCache">,
): Promise<string | undefined> {
  const remote = kind === "deployments" ? await clients.deploymentCache.peekById(id) : undefined;
  return remote && ownerOf(remote);
}

/** Finds the tracing projects of all deployments that other programs manage, also of those that are not adopted. */
export async function findManagedProjects({ missing }: Settings, clients: () => Clients): Promise<ManagedProjects> {
  const unknown = (why: string) =>
    "Exports of deployments that other stacks manage could not be recognized, and may be among the adopted " +
    `ones: ${why}`;
  if (missing.controlPlane.length > 0)
    return { byId: new Map(), caution: unknown(describeMissing(missing.controlPlane)) };
  try {
    const { controlPlane, projectCache } = clients();
    const deployments = await collectAll(controlPlane.listDeployments());
    const managed = deployments.flatMap((one) => ({ name: one.name, owner: ownerOf(one) ?? "" }));
    const found = await Promise.all(
      managed
        .filter(({ owner }) => owner !== "")
        .map(async (one) => ({ ...one, project: (await projectCache.findByName(one.name))?.id })),
    );
    const byId = new Map(found.flatMap(({ project, ...one }) => (project === undefined ? [] : [[project, one]])));
    const lost = found.filter(({ project }) => project === undefined).map(({ name }) => name);
    const unread = deployments.find(({ unreadable }) => unreadable)?.unreadable;
    if (unread) return { byId, caution: unknown(unread.message) };
    if (lost.length === 0) return { byId };
    return { byId, caution: unknown(`the tracing projects of ${list(lost)} were not found.`) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { byId: new Map(), caution: unknown(error.message) };
  }
}

interface Listed {
  kind: Kind;
  items: readonly Remote[];
}

export interface Ownership {
  /** Why objects are not adopted, by their IDs. */
  reasons: ReadonlyMap<string, string>;
  /** What to know about objects of which a part is managed elsewhere, by their IDs. */
  cautions: ReadonlyMap<string, string>;
}

/** Says of exports, and of what they refer to, whether other programs manage them. */
export function ownershipOf(lists: readonly Listed[], { byId }: ManagedProjects): Ownership {
  const ownerOfExport = ({ sessionId }: Remote) => byId.get(String(sessionId));
  const [reasons, cautions] = [new Map<string, string>(), new Map<string, string>()];
  for (const item of lists.flatMap(({ items }) => items)) {
    const deployment = ownerOfExport(item);
    if (!deployment) continue;
    reasons.set(item.id, `it exports the traces of ${deployment.name}, which is ${managedBy(deployment.owner)}`);
  }
  for (const [id, users] of Map.groupBy(referencesIn(lists), ({ to }) => to)) {
    const active = users.filter(({ isActive }) => isActive);
    const owners = (active.length > 0 ? active : users).map(({ from }) => ownerOfExport(from));
    const names = list([...new Set(owners.flatMap((one) => one?.name ?? []))].sort());
    if (names === "") continue;
    if (owners.includes(undefined))
      cautions.set(id, `exports of deployments that other programs manage also use it: ${names}`);
    else reasons.set(id, `only exports of deployments that other programs manage use it: ${names} ${INCLUDE_OWNED}`);
  }
  return { reasons, cautions };
}

/** Returns the references of the objects in the lists, each to an ID. */
function referencesIn(lists: readonly Listed[]) {
  return lists.flatMap(({ kind, items }) => {
    const { schema, adopt, listing } = definitionOf(kind);
    const paths = pathsOf(schema, ({ reference }) => reference);
    return items
      .filter((item) => listing.isOfThisKind?.(item) ?? true)
      .flatMap((from) => {
        const isActive = adopt.skip?.(from, { includeEnded: false, includeOwned: true }) === undefined;
        return paths.map((path) => ({ from, to: String(from[path]), isActive }));
      });
  });
}

const list = (names: readonly string[], limit = 5): string =>
  names.length > limit ? `${names.slice(0, limit).join(", ")} and ${names.length - limit} more` : names.join(", ");

/**
 * Returns what the user must check before the import, because the server does not show whose these objects are.
 * @param known What is known about single objects, by their IDs.
 */
export function cautionsAbout(all: readonly Adopted[], known: Ownership["cautions"]): string[] {
  const unknown = all.filter(({ kind }) => definitionOf(kind).markerPlace === undefined);
  if (unknown.length === 0) return [];
  const title = ({ kind, name }: Adopted) => `${definitionOf(kind).adopt.noun} ${name}`;
  const names = list(unknown.map(title), 20);
  return [
    ...unknown.flatMap((one) => {
      const text = known.get(one.id);
      return text === undefined ? [] : [`${title(one)}: ${text}.`];
    }),
    `The server does not show whether another stack manages these: ${names}. Before the import, make sure ` +
      "that none does, or remove them from the program and from import.json: when two stacks manage an export, " +
      "the destroy of one ends it for both.",
  ];
}
