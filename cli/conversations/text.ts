/** What the commands print of a backup, a restore and a comparison. */
import type { BackupResult } from "../../provider/conversations/backup";
import type { RestoreResult } from "../../provider/conversations/restore";
import { OTHER_QUESTIONS } from "../../provider/conversations/thread/restore-thread";
import type { Verified } from "../../provider/conversations/verify-backup";
import { cleanText } from "../../provider/text/clean";

/** Threads, or others, that a text names. */
const MAX_NAMED = 20;

const NEVER_THE_SAME = "IDs of checkpoints and questions, times, runs";

export function formatBackup(result: BackupResult, folder: string): string {
  const { manifest, missing, expired, unchanged, removed } = result;
  const { threads, byStatus, assistants, items, crons } = manifest.counts;
  const waiting = byStatus.interrupted ?? 0;
  const of = waiting > 0 ? `, of which ${formatNumber(waiting)} ${waiting === 1 ? "waits" : "wait"} for an answer` : "";
  const parts = [formatCount(assistants, "assistant"), formatCount(items, "stored item"), formatCount(crons, "cron")];
  const unread = unchanged > 0 ? [`${formatCount(unchanged, "thread")} had not changed since the last backup.`] : [];
  const gone = expired > 0 ? [`${formatCount(expired, "thread")} no longer existed when they were read.`] : [];
  const listed = removed === 1 ? "is no longer listed" : "are no longer listed";
  const dropped = removed > 0 ? [`${formatCount(removed, "thread")} of an earlier run ${listed}.`] : [];
  return lines([
    `Backed up ${formatCount(threads, "thread")}${of}, ${parts.join(", ")} of ${manifest.server.url} to ${folder}.`,
    ...unread,
    ...gone,
    ...dropped,
    ...named("not in the backup", missing),
    manifest.recipients
      ? `The content is encrypted to ${manifest.recipients.join(", ")}.`
      : "The files contain every conversation, unencrypted.",
    "Values that JSON cannot contain, such as bytes and dates, are texts in it.",
  ]);
}

export function formatRestore(result: RestoreResult): string {
  const { counts, losses, ranAgain, failed, rejected, asked, owners, assistants, items, crons, notes } = result;
  const restored = counts.whole + counts.latest;
  const latest = counts.latest > 0 ? `, ${formatNumber(counts.latest)} of them with their latest state only` : "";
  const parts = [formatCount(assistants, "assistant"), formatCount(items, "stored item"), formatCount(crons, "cron")];
  const ran = [...ranAgain].map(([node, count]) => `in ${formatNumber(count)} of them node "${node}" ran twice`);
  const again =
    asked > 0
      ? [
          `${formatCount(asked, "thread")} ${asked === 1 ? "asks" : "ask"} ` +
            `again${ran.length > 0 ? `; ${ran.join("; ")}` : ""}.`,
        ]
      : [];
  const lost = [...losses].map(([loss, ids]) => `${loss} (${formatCount(ids.length, "thread")})`);
  const changed = (losses.get(OTHER_QUESTIONS) ?? []).map((id) => ({
    id,
    reason: "read what it asks before you answer",
  }));
  return lines([
    `Restored ${formatCount(restored, "thread")}${latest}, ${parts.join(", ")}.`,
    ...again,
    ...(owners > 0 ? [`A thread of ${formatCount(owners, "owner")} was read as its owner, and is the same.`] : []),
    ...named("asking other questions than before", changed),
    ...named("not restored", failed),
    ...named(
      "not restored",
      rejected.map(({ what, reason }) => ({ id: what, reason })),
      "other object",
    ),
    ...notes.map((note) => `Note: ${note}.`),
    `Not the same: ${[NEVER_THE_SAME, ...lost].join("; ")}.`,
  ]);
}

export const backupJson = (result: BackupResult) => ({ version: 1 as const, ...result });
export const verifyJson = (result: Verified) => ({ version: 1 as const, ...result });
export const restoreJson = ({ losses, ranAgain, ...result }: RestoreResult) => ({
  version: 1 as const,
  ...result,
  losses: Object.fromEntries([...losses].map(([loss, ids]) => [loss, ids.length])),
  threadsByLoss: Object.fromEntries(losses),
  ranAgain: Object.fromEntries(ranAgain),
});

export function formatVerified({ whole, latest, unasked, continued, different }: Verified): string {
  const total = whole + latest + different.length;
  return lines([
    `Compared ${formatCount(total, "thread")}: all checkpoints of ${formatNumber(whole)} are equal, of ` +
      `${formatNumber(latest)} the latest state only.`,
    ...(unasked > 0
      ? [`${formatCount(unasked, "thread")} ${unasked === 1 ? "does" : "do"} not ask the question of the backup.`]
      : []),
    ...(continued > 0
      ? [`${formatCount(continued, "thread")} ${continued === 1 ? "has" : "have"} been continued since.`]
      : []),
    ...named("different", different),
    `Not compared: ${NEVER_THE_SAME}, and token counts of AI messages in Python.`,
  ]);
}

function named(what: string, all: readonly { id: string; reason: string }[], noun = "thread"): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_NAMED).map(({ id, reason }) => `  ${id}: ${reason}`);
  const rest = all.length - shown.length;
  return [
    `${formatCount(all.length, noun)} ${all.length === 1 ? "is" : "are"} ${what}:`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

const numbers = new Intl.NumberFormat("en-US");
const formatNumber = (count: number): string => numbers.format(count);
const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;

/** Cleaned one by one, since servers chose parts of them. */
const lines = (all: readonly string[]): string => `${all.map((line) => cleanText(line)).join("\n")}\n`;
