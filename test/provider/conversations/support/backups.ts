/** Backups of tests: how one is written, and what it contains. */
import { BackupReader } from "../../../../provider/conversations/file/backup-reader";
import { BackupWriter } from "../../../../provider/conversations/file/backup-writer";
import type { Decryption, WriterOptions } from "../../../../provider/conversations/file/encryption";
import type { Place } from "../../../../provider/conversations/place/place";

const time = "2026-11-27T00:00:00.000Z";
const server = { url: "https://agent.example/", language: "python", version: "0.16.7" } as const;
const end = { server, startedAt: time, finishedAt: time, counts: { assistants: 0, items: 0, crons: 0 } };

export const entry = (id: string, latest = "c1") => ({
  ...{ id, latest, digest: `digest of ${id}`, thread: "", status: "idle" },
});

export async function begin(place: Place, options: Partial<WriterOptions> = {}): Promise<BackupWriter> {
  const writer = await BackupWriter.open(place, { isUpdated: false, ...options });
  await writer.begin(server.url, undefined);
  return writer;
}

/** Writes the lists, and completes the backup with the threads that are kept; by default all. */
export async function finish(writer: BackupWriter, isKept = (_id: string) => true, lines = ["1", "2"]): Promise<void> {
  for (const list of ["assistants", "store", "crons"] as const) await writer.writeLines(list, lines);
  await writer.finish(({ id }) => isKept(id), end);
}

/** Returns the text of each thread by its ID. */
export async function threadsIn(place: Place, decryption?: Decryption): Promise<Record<string, string>> {
  const reader = await BackupReader.open(place, decryption);
  const texts = await Promise.all(reader.entries.map(async (one) => [one.id, await reader.read(one)] as const));
  await reader.close();
  return Object.fromEntries(texts);
}

interface Access {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Returns the variables that name a bucket and its credentials. */
export const environmentOf = ({ url, accessKeyId, secretAccessKey }: Access) => ({
  AWS_ENDPOINT_URL_S3: url,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
});
