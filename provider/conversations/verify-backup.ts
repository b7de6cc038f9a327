/** Compares a backup with what an agent server has. */
import { ConcurrencyLimiter } from "../http/limits";
import { compareLines } from "./compare-lines";
import { type ConversationServer, RejectedError } from "./conversation-server";
import type { BackupReader } from "./file/backup-reader";
import type { Entry } from "./file/manifest";
import { isSameJson, parseLossless } from "./lossless-json";
import { lineOf } from "./plan";
import { type Conversation, comparable } from "./read-thread";

const CONCURRENCY = 4;

export interface Verified {
  /** Threads whose checkpoints are all equal, those of which only the latest is, and others. */
  whole: number;
  latest: number;
  /** Threads that wait for an answer, and whose questions are not asked. */
  unasked: number;
  different: { id: string; reason: string }[];
}

export async function verifyBackup(
  reader: BackupReader,
  target: ConversationServer,
  onProgress: (done: number, total: number) => void,
): Promise<Verified> {
  const result: Verified = { whole: 0, latest: 0, unasked: 0, different: [] };
  const limiter = new ConcurrencyLimiter(CONCURRENCY);
  const pending = new Set<Promise<void>>();
  let done = 0;
  for (const entry of reader.entries) {
    const comparing: Promise<void> = limiter
      .run(() => compareThread(entry, reader, target, result))
      .finally(() => {
        pending.delete(comparing);
        onProgress(++done, reader.entries.length);
      });
    pending.add(comparing);
    if (pending.size >= CONCURRENCY * 2) await Promise.race(pending);
  }
  await Promise.all(pending);
  return result;
}

async function compareThread(
  entry: Entry,
  reader: BackupReader,
  target: ConversationServer,
  result: Verified,
): Promise<void> {
  const { history } = parseLossless(await reader.read(entry)) as Conversation;
  const expected = lineOf(history);
  const written = await target
    .readHistory(entry.id)
    .then(lineOf)
    .catch((error: unknown) => {
      if (error instanceof RejectedError && error.status === 404) return undefined;
      throw error;
    });
  if (!written) {
    result.different.push({ id: entry.id, reason: "it does not exist" });
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
