/** Whether another server than before listens at an address. */
import type { SavedAssistant } from "../../provider/conversations/catalog/read-catalog";
import { forEachConcurrently } from "../../provider/conversations/concurrently";
import type { BackupReader } from "../../provider/conversations/file/backup-reader";
import type { Journal } from "../../provider/conversations/file/journal";
import { parseLossless } from "../../provider/conversations/lossless-json";
import { type Owners, readEntry } from "../../provider/conversations/owners";

const WRITTEN_AGAIN =
  "the server has none of the threads that an earlier restore to its address wrote, so it counts as another one, and " +
  "what users deleted was written again";

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
async function isAnotherServer(earlier: Earlier): Promise<boolean> {
  let [isAny, isFound] = [false, false];
  await forEachConcurrently(finishedIn(earlier), async ({ path, metadata }) => {
    isAny = true;
    if (!isFound && !(await earlier.owners.serverFor(metadata).isMissing(path))) isFound = true;
  });
  return isAny && !isFound;
}

/** Forgets an earlier restore if the server is another one. @returns What to note then: it is not certain. */
export async function forgetAnother(earlier: Earlier): Promise<string[]> {
  if (!(await isAnotherServer(earlier))) return [];
  earlier.journal.forget();
  return [WRITTEN_AGAIN];
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
