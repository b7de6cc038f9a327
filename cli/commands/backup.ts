/** `agentgraph backup`: writes the conversations of an agent server, and what belongs to them, to files. */
import { saveMemory } from "../conversations/save-memory";
import { SERVER_OPTIONS } from "../conversations/server-options";
import { printJson } from "../shared/json";
import { EXIT, type Subcommand, UsageError } from "../shared/subcommand";

export const backup: Subcommand = {
  name: "backup",
  summary: "Back up the conversations, assistants, stored items and crons of an agent server.",
  options: [
    ...SERVER_OPTIONS,
    { flags: "--to <place>", description: "where to write the backup: a folder or s3://bucket/prefix (required)" },
    { flags: "--graph <name>", description: "only threads of this graph" },
    { flags: "--since-backup", description: "bring the backup in this place up to date" },
    {
      flags: "--busy <seconds>",
      description: "how long to wait for a thread that a run writes to (default: 600)",
      parse: parseSeconds,
    },
    {
      flags: "--encrypt-to <recipient...>",
      description: "encrypt the content to a recipient of age (age1…), or to those in a file",
    },
    { flags: "--empty-is-right", description: "accept that the server shows no thread" },
  ],
  help: `
Read-only: nothing changes on the server. The files contain every conversation
that the API key may see, unencrypted unless --encrypt-to is passed. They
contain no API key, no header and no environment variable.

A backup that was interrupted continues where it ended. It is complete when
manifest.json exists, which is written last.

Examples:
  agentgraph backup --deployment support --to backup
  agentgraph backup --url http://localhost:2024 --to backup
  agentgraph backup --deployment support --to backup --since-backup
  agentgraph backup --deployment support --to s3://a/b --encrypt-to age1…`,
  failureMeaning: "a thread is missing in the backup, or a request failed",

  async run(_args, options, context) {
    saveMemory();
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { connect } = await import("../conversations/connect.js");
    const { readRecipients } = await import("../conversations/encryption.js");
    const { backupJson, formatBackup } = await import("../conversations/text.js");
    const { BackupWriter } = await import("../../provider/conversations/file/backup-writer.js");
    const { backUp } = await import("../../provider/conversations/backup.js");
    const { EverySecond } = await import("../../provider/conversations/every-second.js");
    const { openPlace } = await import("../../provider/conversations/place/open-place.js");
    const { realClock } = await import("../../provider/http/clock.js");
    if (typeof options.to !== "string") throw new UsageError("Name the place of the backup: pass --to.");
    const place = await openPlace(options.to, context);
    const { recipients, encryption } = await readRecipients(options, context);
    const { server, about, close } = await connect(options, context);
    const isUpdated = options.sinceBackup === true;
    const writer = await BackupWriter.open(place, { isUpdated, recipients, encryption });
    const line = new EverySecond(context.now, (text) => context.stderr.write(`${text}\n`));
    try {
      const result = await backUp({
        ...{ server, about, writer, graph: options.graph as string | undefined },
        ...(options.emptyIsRight === true && { onEmpty: () => {} }),
        ...{ busyTries: (options.busy as number | undefined) ?? 600, sleep: realClock.sleep, now: context.now },
        onProgress: ({ done, total, busy, failed }) =>
          line.show(`${done} of ${total} threads, ${busy} busy, ${failed} failed`),
      });
      context.stdout.write(
        options.json ? printJson(backupJson(result), context.secrets) : formatBackup(result, place.name),
      );
      return result.missing.length > 0 ? EXIT.failure : EXIT.success;
    } finally {
      await writer.close();
      await close();
    }
  },
};

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 0) throw new UsageError("It must be a number of seconds.");
  return seconds;
}
