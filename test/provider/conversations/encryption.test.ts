/**
 * Encrypted backups: who reads them, what stays readable, and that another implementation of the format decrypts them.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { Decrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { ageDecryption, ageEncryption, assertRecipients } from "../../../provider/conversations/encryption/age";
import { BackupReader } from "../../../provider/conversations/file/backup-reader";
import { BackupWriter } from "../../../provider/conversations/file/backup-writer";
import { Folder } from "../../../provider/conversations/place/folder";

let folder: string;
let keys: { identity: string; recipient: string }[];
beforeAll(async () => {
  const identities = [await generateIdentity(), await generateIdentity()];
  keys = await Promise.all(
    identities.map(async (identity) => ({ identity, recipient: await identityToRecipient(identity) })),
  );
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentgraph-encryption-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = () => new Folder(folder);
const time = "2026-11-27T00:00:00.000Z";
const server = { url: "https://agent.example/", language: "python" } as const;
const end = { server, startedAt: time, finishedAt: time, counts: { assistants: 0, items: 0, crons: 0 } };
const facts = (id: string) => ({ id, digest: "digest", thread: "" });

async function begin(recipients?: readonly string[], isUpdated = false): Promise<BackupWriter> {
  const writer = await BackupWriter.open(place(), { isUpdated, recipients, encryption: ageEncryption });
  await writer.begin(server.url, undefined);
  return writer;
}

async function finish(writer: BackupWriter): Promise<void> {
  for (const list of ["assistants", "store", "crons"] as const) await writer.writeLines(list, ["a secret list"]);
  await writer.finish(() => true, end);
}

const open = (...numbers: number[]) =>
  BackupReader.open(place(), ageDecryption(numbers.map((number) => keys[number]?.identity ?? "")));

async function write(texts: Readonly<Record<string, string>>, recipients: readonly string[]): Promise<void> {
  const writer = await begin(recipients);
  for (const [id, text] of Object.entries(texts)) await writer.append(facts(id), text);
  await finish(writer);
}

const recipientsOf = (...numbers: number[]) => numbers.map((number) => keys[number]?.recipient ?? "");

it("Each recipient reads each thread alone, and no file contains a text of one", async () => {
  const texts = { small: "a secret text", large: randomBytes(150_000).toString("base64"), last: "the last text" };
  await write(texts, recipientsOf(0, 1));
  for (const number of [0, 1]) {
    const reader = await open(number);
    for (const entry of reader.entries.toReversed())
      expect(await reader.read(entry)).toBe(texts[entry.id as keyof typeof texts]);
    const lines: string[] = [];
    for await (const line of reader.lines("store")) lines.push(line);
    expect(lines).toEqual(["a secret list"]);
    await reader.close();
  }
  for (const name of await readdir(folder))
    expect(await readFile(join(folder, name), "latin1")).not.toMatch(/secret|"digest":"digest"/);
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
  const writer = await begin(undefined, true);
  await writer.append(facts("b"), "second");
  await finish(writer);
  const reader = await open(0);
  const texts = await Promise.all(reader.entries.map(async (entry) => [entry.id, await reader.read(entry)]));
  expect(texts).toEqual([
    ["a", "first"],
    ["b", "second"],
  ]);
  await reader.close();
  await expect(begin(recipientsOf(1), true)).rejects.toThrow("which an update does not change");
});

it("A backup that is not encrypted does not become encrypted in parts", async () => {
  const writer = await begin();
  await finish(writer);
  await expect(begin(recipientsOf(0), true)).rejects.toThrow("is not encrypted, which an update does not change");
  await expect(open(0)).rejects.toThrow("is not encrypted. Pass no --identity.");
});

it("What an interrupted run has encrypted to others, or not at all, is read again", async () => {
  for (const recipients of [undefined, recipientsOf(1), recipientsOf(0)]) {
    const writer = await begin(recipients);
    await writer.append(facts("a"), "text");
    await writer.close();
  }
  const other = await begin(recipientsOf(0, 1));
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
  const [entry] = reader.entries;
  await expect(entry && reader.read(entry)).rejects.toThrow("cannot be decrypted: it is not what the backup wrote");
  await reader.close();
});
