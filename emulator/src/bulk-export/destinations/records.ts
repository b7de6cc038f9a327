import { fromRow, type Row, type Store, toRow } from "../../runtime/storage/store";
import type { Micros } from "../timestamps";
import type { DestinationConfig } from "./schemas";

/** A destination as stored. */
export interface DestinationRecord {
  id: string;
  tenant_id: string;
  destination_type: string;
  display_name: string;
  config: DestinationConfig;
  /** Encrypted for the ID; null without credentials. */
  credentials: string | null;
  credentials_keys: string[];
  /** The role that the platform assumes in place of a key. */
  aws_role_arn: string | null;
  created_at: Micros;
  updated_at: Micros;
}

export function insertDestination(store: Store, record: DestinationRecord): void {
  store.upsert("destinations", toRow(record));
}

export function destinationById(store: Store, id: string): DestinationRecord | undefined {
  const row = store.get("SELECT * FROM destinations WHERE id = ?", id);
  return row && toDestination(row);
}

/** Returns the destinations of a workspace, newest first. */
export function destinationsOf(store: Store, tenantId: string): DestinationRecord[] {
  return store.all("SELECT * FROM destinations WHERE tenant_id = ? ORDER BY seq DESC", tenantId).map(toDestination);
}

function toDestination({ seq: _, ...row }: Row): DestinationRecord {
  return fromRow(row, { json: ["config", "credentials_keys"] });
}
