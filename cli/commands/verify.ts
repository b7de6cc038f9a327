/** `agentgraph verify`: compares a backup with what an agent server has. */
import { saveMemory } from "../conversations/save-memory";
import { IDENTITY_OPTION, OWNER_OPTION, SERVER_OPTIONS } from "../conversations/server-options";
import { printJson } from "../shared/json";
import { EXIT, type Subcommand, UsageError } from "../shared/subcommand";

export const verify: Subcommand = {
  name: "verify",
  summary: "Compare a backup of conversations with what an agent server has.",
  options: [
    ...SERVER_OPTIONS,
    OWNER_OPTION,
    { flags: "--from <place>", description: "the backup: a folder or s3://bucket/prefix (required)" },
    IDENTITY_OPTION,
  ],
  help: `
Read-only. Compares the values, next nodes and steps of every checkpoint, and
the questions of threads that wait for an answer.

Example:
  agentgraph verify --from backup --deployment support-2`,
  failureMeaning: "a thread differs or is missing, or a request failed",

  async run(_args, options, context) {
    saveMemory();
    const { readOwnerHeader } = await import("../conversations/headers.js");
    const { Owners } = await import("../../provider/conversations/owners.js");
    const { connect } = await import("../conversations/connect.js");
    const { readIdentities } = await import("../conversations/encryption.js");
    const { formatVerified, verifyJson } = await import("../conversations/text.js");
    const { BackupReader } = await import("../../provider/conversations/file/backup-reader.js");
    const { EverySecond } = await import("../../provider/conversations/every-second.js");
    const { openPlace } = await import("../../provider/conversations/place/open-place.js");
    const { verifyBackup } = await import("../../provider/conversations/verify-backup.js");
    if (typeof options.from !== "string") throw new UsageError("Name the place of the backup: pass --from.");
    const ownerHeader = readOwnerHeader(options);
    const reader = await BackupReader.open(
      await openPlace(options.from, context),
      await readIdentities(options, context),
    );
    const { server, close } = await connect(options, context);
    const line = new EverySecond(context.now, (text) => context.stderr.write(`${text}\n`));
    try {
      const onProgress = (done: number, total: number) => line.show(`${done} of ${total} threads`);
      const result = await verifyBackup(reader, server, onProgress, new Owners(server, ownerHeader));
      context.stdout.write(options.json ? printJson(verifyJson(result), context.secrets) : formatVerified(result));
      return result.different.length > 0 ? EXIT.failure : EXIT.success;
    } finally {
      await reader.close();
      await close();
    }
  },
};
