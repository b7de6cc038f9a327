/** The backups of a resource, one for each of its deployments, and beside each what became of its conversations. */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findManifest, parse } from "../../../conversations/file/manifest";
import { openPlace } from "../../../conversations/place/open-place";
import type { Place } from "../../../conversations/place/place";
import type { Context } from "../../../definition/context";
import { canonicalMarker, parseMarker } from "../../../definition/ownership";
import { UserError } from "../../../text/user-error";
import type { KeepConversations } from "../schema/keep";

const RECORD = "deployment.json";
const FORMAT = "agentgraph-kept/1";

const recordSchema = z.object({
  format: z.literal(FORMAT),
  deployment: z.object({ id: z.string(), name: z.string() }),
  /** IDs of the deployments whose conversations it had, the oldest first. */
  movedFrom: z.array(z.string()).readonly(),
  /** The deployment that has the conversations now, or receives them. */
  restoredTo: z.object({ id: z.string(), isComplete: z.boolean() }).optional(),
});

export interface KeptBackup extends Omit<z.infer<typeof recordSchema>, "format"> {
  place: Place;
}

/** Opens the place of the backups. @param urn As the program declares it: the state of a renamed one differs. */
export async function openBackups(
  { at }: KeepConversations,
  { marker, urn: urnInState }: Pick<Context, "marker" | "urn">,
  urn = urnInState,
): Promise<Place> {
  const owner = marker.slice(0, marker.length - urnInState.length);
  const canonical = canonicalMarker(owner + urn);
  const { project = "", stack = "", resource = "" } = parseMarker(canonical) ?? {};
  const name = resource.slice(resource.lastIndexOf("::") + 2);
  const digest = createHash("sha256").update(canonical).digest("hex").slice(0, 8);
  const path = [project, stack, name, digest].map((part) => part.replace(/[^\w-]/g, "_")).join(".");
  const folder = at.startsWith("file:") ? fileURLToPath(at) : at;
  return (await openPlace(folder, { folder: process.cwd(), env: process.env })).at(path);
}

/** Returns the backup of a deployment; undefined where there is no complete one. */
export async function findBackup(all: Place, deploymentId: string): Promise<KeptBackup | undefined> {
  const place = all.at(deploymentId);
  const content = await place.read(RECORD);
  if (!content || !(await findManifest(place))) return undefined;
  const { data } = recordSchema.safeParse(parse(content.bytes.toString("utf8")));
  if (data?.deployment.id !== deploymentId)
    throw new UserError(
      `${place.name}/${RECORD} does not say whose conversations the backup beside it has. Move it ` +
        "elsewhere, or choose another keepConversations.at.",
    );
  const { format: _, ...record } = data;
  return { place, ...record };
}

/** Returns the newest complete backup that was not restored as a whole, except to this deployment. */
export async function findUnrestored(all: Place, to?: string): Promise<KeptBackup | undefined> {
  let newest: { backup: KeptBackup; finishedAt: string } | undefined;
  for (const id of await all.places()) {
    const backup = await findBackup(all, id);
    if (!backup || (backup.restoredTo?.isComplete && backup.restoredTo.id !== to)) continue;
    const { finishedAt = "" } = (await findManifest(backup.place))?.manifest ?? {};
    if (!newest || finishedAt > newest.finishedAt) newest = { backup, finishedAt };
  }
  return newest?.backup;
}

export async function noteBackup({ place, deployment, movedFrom, restoredTo }: KeptBackup): Promise<void> {
  const record = { format: FORMAT, deployment, movedFrom, ...(restoredTo && { restoredTo }) };
  await place.write(RECORD, Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
}
