import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunInput } from "../../../src";
import { type Client, request } from "../emulator";

export const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** A trace run with only the required fields. */
export const run = (number: number, change: Partial<RunInput> = {}): RunInput => ({
  id: uuid(number),
  name: "chat",
  start_time: "2026-01-02T03:04:05.678901Z",
  ...change,
});

/** Reads the data file directly, without the emulator. */
export function queryDatabase(folder: string, sql = "SELECT * FROM runs ORDER BY id"): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, "emulator.sqlite"), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

export function postRuns(client: Client, body: string, query = "project=agent") {
  return request(client.emulator.urls.admin, "POST", `/runs?${query}`, body, {});
}

export const toNdjson = (runs: object[]) => runs.map((one) => `${JSON.stringify(one)}\n`).join("");
