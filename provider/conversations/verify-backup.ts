/** Compares a backup with what an agent server has. */
import { ignoreNotFound } from "../http/errors";
import { forEachConcurrently } from "./concurrently";
import type { BackupReader } from "./file/backup-reader";
import type { Entry } from "./file/manifest";
import { isSameJson } from "./lossless-json";
import { Owners, readEntry } from "./owners";
import type { ConversationServer } from "./server/conversation-server";
import { compareLines, withoutEnds } from "./thread/compare-lines";
import { lineOf } from "./thread/plan";
import { comparable } from "./thread/read-thread";

export interface Verified {
  /** Threads whose checkpoints are all equal, those of which only the latest is, and others. */
  whole: number;
  latest: number;
  /** Threads that wait for an answer, and whose questions are not asked. */
  unasked: number;
  /** Threads that a run has continued since they were restored. */
  continued: number;
  different: { id: string; reason: string }[];
}

export async function verifyBackup(
  reader: BackupReader,
  target: ConversationServer,
  onProgress: (done: number, total: number) => void,
  owners = new Owners(target, undefined),
): Promise<Verified> {
  const result: Verified = { whole: 0, latest: 0, unasked: 0, continued: 0, different: [] };
  let done = 0;
  await forEachConcurrently(reader.entries, async (entry) => {
    await compareThread(entry, reader, owners, result);
    onProgress(++done, reader.entries.length);
  });
  return result;
}

async function compareThread(entry: Entry, reader: BackupReader, owners: Owners, result: Verified): Promise<void> {
  const { thread, history } = await readEntry(entry, reader);
  const target = owners.serverFor(thread.metadata);
  const expected = lineOf(history);
  const written = await target
    .readHistory(entry.id)
    .then((states) => withoutEnds(expected, lineOf(states)))
    .catch(ignoreNotFound);
  if (!written) {
    result.different.push({ id: entry.id, reason: "it does not exist" });
    return;
  }
  if (
    written.length > expected.length &&
    compareLines(expected, written.slice(0, expected.length), target.isPython).length === 0
  ) {
    result.whole += 1;
    result.continued += 1;
    return;
  }
  const differences = compareLines(expected, written, target.isPython);
  const [last, present] = [expected.at(-1), written.at(-1)];
  const isLatest =
    last && present && compareLines([last], [{ ...present, metadata: last.metadata }], target.isPython).length === 0;
  if (differences.length > 0 && !isLatest) {
    result.different.push({ id: entry.id, reason: differences[0] ?? "" });
    return;
  }
  if (differences.length === 0) result.whole += 1;
  else result.latest += 1;
  if (last && present && !isSameJson(comparable(last).questions, comparable(present).questions)) result.unasked += 1;
}
