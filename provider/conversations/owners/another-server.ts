/** Whether another server than before listens at an address. */
import type { SavedAssistant } from "../catalog/read-catalog";
import { forEachConcurrently } from "../concurrently";
import type { BackupReader } from "../file/backup-reader";
import type { Journal } from "../file/journal";
import { parseLossless } from "../lossless-json";
import { type ConversationServer, inPlaceOfRejected, unlessMissing } from "../server/conversation-server";
import { readEntry } from "./check-owners";
import type { Owners } from "./thread-owners";

interface Earlier {
  reader: BackupReader;
  journal: Journal;
  owners: Owners;
}

/**
 * Whether the server has none of the threads that an earlier restore to its address finished; where that finished no
 * thread, none of its assistants. If there is one, the others were deleted, and stay so. Each is read by its ID: what a
 * list does not show may exist.
 */
export async function isAnotherServer(earlier: Earlier): Promise<boolean> {
  let [isAny, isFound] = [false, false];
  await forEachConcurrently(finishedIn(earlier), async ({ path, metadata }) => {
    isAny = true;
    if (!isFound && !(await isMissing(path, earlier.owners.serverFor(metadata)))) isFound = true;
  });
  return isAny && !isFound;
}

async function* finishedIn({ reader, journal, owners }: Earlier) {
  const isFinished = (id: string) => journal.get(id)?.state === "done";
  const entries = reader.entries.filter(({ id }) => isFinished(id));
  for (const entry of entries) {
    const metadata = owners.areKnown ? (await readEntry(entry, reader)).thread.metadata : undefined;
    yield { path: `/threads/${entry.id}`, metadata };
  }
  if (entries.length > 0) return;
  for await (const line of reader.lines("assistants")) {
    const { assistant_id: id, metadata } = (parseLossless(line) as SavedAssistant).assistant;
    if (isFinished(id)) yield { path: `/assistants/${id}`, metadata };
  }
}

/** Of any other rejection, the object may exist. */
export async function isMissing(path: string, server: ConversationServer): Promise<boolean> {
  const found = server.read({ method: "GET", path }).catch(unlessMissing);
  return (await found.catch(inPlaceOfRejected(() => true, "unknown"))) === undefined;
}
