/**
 * Encrypted backups: who reads them, what stays readable, and that another implementation of the format decrypts them.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { Decrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { ageDecryption, ageEncryption, assertRecipients } from "../../../../cli/conversations/age";
import { newFolder } from "../../../../emulator/test/support/folder";
import { BackupReader } from "../../../../provider/conversations/file/backup-reader";
import type { BackupWriter } from "../../../../provider/conversations/file/backup-writer";
import { Folder } from "../../../../provider/conversations/place/folder";
import { begin, entry, finish, threadsIn } from "../support/backups";
import { all } from "../support/servers";

let folder: string;
let keys: { identity: string; recipient: string }[];
beforeAll(async () => {
  const identities = [await generateIdentity(), await generateIdentity()];
  keys = await Promise.all(
    identities.map(async (identity) => ({ identity, recipient: await identityToRecipient(identity) })),
  );
});
beforeEach(() => {
  folder = newFolder();
});

const place = () => new Folder(folder);
const encrypt = (recipients?: readonly string[], isUpdated = false) =>
  begin(place(), { isUpdated, recipients, encryption: ageEncryption });

const complete = (writer: BackupWriter) => finish(writer, undefined, ["a secret list"]);

const decryptionWith = (number: number) => ageDecryption([keys[number]?.identity ?? ""]);
const open = (number: number) => BackupReader.open(place(), decryptionWith(number));

async function write(texts: Readonly<Record<string, string>>, recipients: readonly string[]): Promise<void> {
  const writer = await encrypt(recipients);
  for (const [id, text] of Object.entries(texts)) await writer.append(entry(id), text);
  await complete(writer);
}

const recipientsOf = (...numbers: number[]) => numbers.map((number) => keys[number]?.recipient ?? "");

it("Each recipient reads each thread alone, and no file contains a text of one", async () => {
  const texts = { small: "a secret text", large: randomBytes(150_000).toString("base64"), last: "the last text" };
  await write(texts, recipientsOf(0, 1));
  for (const number of [0, 1]) {
    const reader = await open(number);
    for (const thread of reader.entries.toReversed())
      expect(await reader.read(thread)).toBe(texts[thread.id as keyof typeof texts]);
    expect(await all(reader.lines("store"))).toEqual(["a secret list"]);
    await reader.close();
  }
  for (const name of await readdir(folder))
    expect(await readFile(join(folder, name), "latin1")).not.toMatch(/secret|"digest":"digest/);
});

it.each([[0], [1], [65_535 - 12], [65_536], [131_072], [300_000]])(
  "A file with %d bytes more is decrypted by another implementation",
  async (size) => {
    const text = randomBytes(Math.ceil(size / 2)).toString("hex");
    await write({ a: text, b: "end" }, recipientsOf(0));
    const decrypter = new Decrypter();
    decrypter.addIdentity(keys[0]?.identity ?? "");
    const file = await readFile(join(folder, "threads-0001-0001.ndjson.zst.age"));
    const plain = Buffer.from(await decrypter.decrypt(file));
    const reader = await open(0);
    const [first, second] = reader.entries;
    expect(zstdDecompressSync(plain.subarray((first?.length ?? 0) + 12)).toString()).toBe("end\n");
    expect(first && (await reader.read(first))).toBe(text);
    expect(second && (await reader.read(second))).toBe("end");
    await reader.close();
  },
);

it("A backup that is encrypted is updated without a key, to the same recipients only", async () => {
  await write({ a: "first", b: "first" }, recipientsOf(0));
  const writer = await encrypt(undefined, true);
  await writer.append(entry("b"), "second");
  await complete(writer);
  expect(await threadsIn(place(), decryptionWith(0))).toEqual({ a: "first", b: "second" });
  await expect(encrypt(recipientsOf(1), true)).rejects.toThrow("which an update does not change");
});

it("A backup that is not encrypted does not become encrypted in parts", async () => {
  const writer = await encrypt();
  await complete(writer);
  await expect(encrypt(recipientsOf(0), true)).rejects.toThrow("is not encrypted, which an update does not change");
  await expect(open(0)).rejects.toThrow("is not encrypted. Pass no --identity.");
});

it("What an interrupted run has encrypted to others, or not at all, is read again", async () => {
  for (const recipients of [undefined, recipientsOf(1), recipientsOf(0)]) {
    const writer = await encrypt(recipients);
    await writer.append(entry("a"), "text");
    await writer.close();
  }
  const other = await encrypt(recipientsOf(0, 1));
  expect(other.find("a")).toBeUndefined();
  await other.close();
});

it("Without the right key, nothing is read, and the recipients are named", async () => {
  await write({ a: "text" }, recipientsOf(0));
  await expect(BackupReader.open(place())).rejects.toThrow(
    `is encrypted to ${recipientsOf(0)}. Pass --identity with the file of a key.`,
  );
  await expect(open(1)).rejects.toThrow("which is encrypted to another recipient");
  expect(() => ageDecryption(["AGE-SECRET-KEY-1WRONG"])).toThrow(/^A line of the identity file is not a key of age/);
  expect(() => assertRecipients(["age1wrong"])).toThrow('"age1wrong" is not a recipient of age.');
});

it("A changed byte is found, also where the digests of the manifest were changed with it", async () => {
  await write({ a: "text" }, recipientsOf(0));
  const reader = await open(0);
  const path = join(folder, "threads-0001-0001.ndjson.zst.age");
  const bytes = await readFile(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  await writeFile(path, bytes);
  const [first] = reader.entries;
  await expect(first && reader.read(first)).rejects.toThrow("cannot be decrypted: it is not what the backup wrote");
  await reader.close();
});
