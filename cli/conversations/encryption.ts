/** Reads whom a backup is encrypted to, and the keys that open it. */
import { resolve } from "node:path";
import type { Decryption, Encryption } from "../../provider/conversations/file/encryption";
import { readInputFile } from "../shared/input-file";
import { type CommandContext, type Options, UsageError } from "../shared/subcommand";

/** Returns the recipients, none where a backup is not encrypted, and how to encrypt to them. */
export async function readRecipients(
  { encryptTo = [] }: Options,
  context: CommandContext,
): Promise<{ recipients: string[] | undefined; encryption: Encryption }> {
  const loadAge = () => import("./age.js");
  const recipients: string[] = [];
  for (const text of encryptTo as string[])
    recipients.push(...(text.startsWith("age1") ? [text] : await linesOf(text, context)));
  const encrypt: Encryption["encrypt"] = async (file, all) => (await loadAge()).ageEncryption.encrypt(file, all);
  // An update is encrypted as the backup is.
  if (recipients.length === 0) return { recipients: undefined, encryption: { encrypt } };
  (await loadAge()).assertRecipients(recipients);
  return { recipients: [...new Set(recipients)], encryption: { encrypt } };
}

/** Returns how to decrypt with the keys of files; undefined without any. */
export async function readIdentities(
  { identity = [] }: Options,
  context: CommandContext,
): Promise<Decryption | undefined> {
  const keys: string[] = [];
  for (const path of identity as string[]) {
    const lines = await linesOf(path, context);
    for (const line of lines) context.secrets.add(line);
    if (lines[0]?.startsWith("-----BEGIN") || lines[0]?.startsWith("age-encryption.org/"))
      throw new UsageError(`${path} is encrypted itself: decrypt it first, for example with age -d.`);
    keys.push(...lines);
  }
  if (keys.length === 0) return undefined;
  const { ageDecryption } = await import("./age.js");
  return ageDecryption(keys);
}

/** Returns the lines of a file, without empty ones and comments. */
async function linesOf(path: string, { folder }: CommandContext): Promise<string[]> {
  const text = await readInputFile(resolve(folder, path), path, "Check its path.");
  const lines = text.split("\n").map((line) => line.trim());
  const kept = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (kept.length === 0) throw new UsageError(`${path} contains no key. Pass the file that age-keygen wrote.`);
  return kept;
}
