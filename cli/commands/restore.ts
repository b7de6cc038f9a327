/** `agentgraph restore`: writes a backup to an agent server. */
import { saveMemory } from "../conversations/save-memory";
import { IDENTITY_OPTION, OWNER_OPTION, SERVER_OPTIONS } from "../conversations/server-options";
import { printJson } from "../shared/json";
import { EXIT, type Subcommand, UsageError } from "../shared/subcommand";

const WAITING = ["ask-again", "leave", "skip"] as const;
const PARTS = ["threads", "assistants", "store", "crons"] as const;

export const restore: Subcommand = {
  name: "restore",
  summary: "Restore a backup of conversations to an agent server.",
  options: [
    ...SERVER_OPTIONS,
    OWNER_OPTION,
    { flags: "--from <place>", description: "the backup: a folder or s3://bucket/prefix (required)" },
    IDENTITY_OPTION,
    {
      flags: "--waiting <choice>",
      description: `what happens to threads that wait for an answer: ${WAITING.join(", ")} (required if there are any)`,
      parse: (text) => oneOf(WAITING, text),
    },
    {
      flags: "--only <parts>",
      description: `only these parts: ${PARTS.join(", ")} (default: all)`,
      parse: (text) => text.split(",").map((part) => oneOf(PARTS, part.trim())),
    },
    { flags: "--latest-only", description: "write only the latest state of each thread, if it has finished" },
    { flags: "--cross-language", description: "restore to a server in the other language" },
  ],
  help: `
Nothing is written if the server lacks a graph of the backup, or already has one
of its threads. A restore that was interrupted continues where it ended, and
doubles nothing: what it has written is noted beside the backup.

Threads keep their IDs, and every checkpoint its values, next nodes and step.
IDs of checkpoints and questions, times and runs cannot be restored. The last
line names what is not the same.

Where users own their threads, a server may give restored ones to the user of
the API key: then nothing is written, unless each is restored as its owner
(--as-owner-header) or by an administrator (--header).

ask-again runs the nodes that wait up to their question, which costs what they
cost. leave restores the state without the question. skip restores the others.

Examples:
  agentgraph restore --from backup --deployment support-2
  agentgraph restore --from backup --deployment support-2 --waiting ask-again`,
  failureMeaning: "something was not restored, or a request failed",

  async run(_args, options, context) {
    saveMemory();
    const { readOwnerHeader } = await import("../conversations/headers.js");
    const { forgetAnother } = await import("../conversations/another-server.js");
    const { connect } = await import("../conversations/connect.js");
    const { readIdentities } = await import("../conversations/encryption.js");
    const { formatRestore, restoreJson } = await import("../conversations/text.js");
    const { BackupReader } = await import("../../provider/conversations/file/backup-reader.js");
    const { Journal } = await import("../../provider/conversations/file/journal.js");
    const { EverySecond } = await import("../../provider/conversations/every-second.js");
    const { openPlace } = await import("../../provider/conversations/place/open-place.js");
    const { Owners } = await import("../../provider/conversations/owners.js");
    const { restoreBackup } = await import("../../provider/conversations/restore.js");
    const { isDeclaredCron } = await import("../../provider/objects/server/before-replace.js");
    if (typeof options.from !== "string") throw new UsageError("Name the place of the backup: pass --from.");
    const ownerHeader = readOwnerHeader(options);
    const place = await openPlace(options.from, context);
    const reader = await BackupReader.open(place, await readIdentities(options, context));
    const { server: target, about, close } = await connect(options, context);
    const journal = await Journal.open(place, about.url);
    const line = new EverySecond(context.now, (text) => context.stderr.write(`${text}\n`));
    try {
      const notes = await forgetAnother({ reader, journal, owners: new Owners(target, ownerHeader) });
      const result = await restoreBackup({
        ...{ reader, target, targetUrl: about.url, journal },
        parts: new Set((options.only as (typeof PARTS)[number][] | undefined) ?? PARTS),
        waiting: options.waiting as (typeof WAITING)[number] | undefined,
        isCrossLanguage: options.crossLanguage === true,
        isLatestOnly: options.latestOnly === true,
        isDeclared: isDeclaredCron,
        ownerHeader,
        onProgress: (done, total) => line.show(`${done} of ${total} threads`),
      });
      result.notes.unshift(...notes);
      context.stdout.write(options.json ? printJson(restoreJson(result), context.secrets) : formatRestore(result));
      return result.failed.length + result.rejected.length > 0 ? EXIT.failure : EXIT.success;
    } finally {
      await journal.close();
      await reader.close();
      await close();
    }
  },
};

function oneOf<T extends string>(all: readonly T[], text: string): T {
  const found = all.find((one) => one === text);
  if (found === undefined) throw new UsageError(`It must be one of ${all.join(", ")}.`);
  return found;
}
