/** The exports of the demo. The emulator's own jobs run them shortly after the start. */
import { destinationById } from "../../../bulk-export/destinations/records";
import { submitExport } from "../../../bulk-export/exports/exports";
import { findUnsupported } from "../../../bulk-export/exports/rules";
import { type ExportCreate, exportCreateBody } from "../../../bulk-export/exports/schemas";
import { validateAdminInput } from "../../../http/admin-gateway";
import { defaultTenantId } from "../../../http/auth";
import type { Context } from "../../../runtime/context";
import type { Infer } from "../../../runtime/validation/schema";
import type { BucketAccess } from "../../buckets";
import { insertSeed, seedBody } from "../seed";
import { uuidFromName } from "./prng";
import { destination, exportPlans } from "./workspace";

const DAY_MS = 86_400_000;

/**
 * Seeds a destination in the emulator's bucket, an export and a schedule, unless the plan lacks them. Of those that
 * exist, only the destination is written again: the port and the keys of the bucket may have changed.
 */
export function seedExports(context: Context, { url, accessKeyId, secretAccessKey }: BucketAccess): void {
  const { store, settings } = context;
  const id = uuidFromName("destination");
  if (settings.plan === "developer") return;
  const exists = destinationById(store, id) !== undefined;
  const { display_name, ...config } = destination;
  const credentials = { access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  const destinations = [{ id, display_name, config: { ...config, endpoint_url: url }, credentials }];
  insertSeed(context, validateAdminInput<Infer<typeof seedBody>>(seedBody, { destinations }));
  if (exists) return;
  for (const plan of exportPlans) {
    const body = exportBody(context, id, plan);
    if (!findUnsupported(context, body)) submitExport(context, defaultTenantId, body);
  }
}

function exportBody(
  { clock, settings }: Context,
  bulk_export_destination_id: string,
  { agent, days, isNightly }: (typeof exportPlans)[number],
): ExportCreate {
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  return validateAdminInput<ExportCreate>(exportCreateBody(settings), {
    bulk_export_destination_id,
    session_id: uuidFromName(`project ${agent}`),
    start_time: new Date(today - days * DAY_MS).toISOString(),
    ...(isNightly ? { interval_hours: 24 } : { end_time: new Date(today).toISOString() }),
  });
}
