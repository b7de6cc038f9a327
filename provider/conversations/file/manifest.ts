/**
 * A backup in a folder: a manifest, which is written last, an index with one line per thread, and parts with the content.
 * Only the owner can read the files: they contain every conversation.
 */
import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../text/user-error";

export const FORMAT = "agentgraph-backup/1";
export const MODE = 0o600;
export const MANIFEST = "manifest.json";

/** The files of lines, beside the threads. */
export const LISTS = ["assistants", "store", "crons"] as const;
export type List = (typeof LISTS)[number];

/** The name of a file in the folder, and of none elsewhere. */
const fileName = z.string().regex(/^[\w-][\w.-]*$/);

const entrySchema = z.object({
  id: z.string(),
  /** ID of the latest checkpoint; absent for a thread without one. */
  latest: z.string().optional(),
  /** Digest of what a search shows of it, such as its metadata. */
  thread: z.string(),
  status: z.string().optional(),
  graphId: z.string().optional(),
  digest: z.string(),
  part: fileName,
  offset: z.number(),
  length: z.number(),
});
export type Entry = z.infer<typeof entrySchema>;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  complete: z.literal(true),
  server: z.object({ url: z.string(), language: z.enum(["python", "javascript"]), version: z.string().optional() }),
  /** Increases with each update, and is part of the names of files that an update replaces. */
  generation: z.number(),
  /** Of which graph alone the threads are. */
  graph: z.string().optional(),
  index: fileName,
  lists: z.object({ assistants: fileName, store: fileName, crons: fileName }),
  startedAt: z.string(),
  finishedAt: z.string(),
  counts: z.object({
    threads: z.number(),
    byStatus: z.record(z.string(), z.number()),
    assistants: z.number(),
    items: z.number(),
    crons: z.number(),
  }),
  /** SHA-256 of each file. */
  files: z.record(fileName, z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined)
    throw new UserError(`${folder} contains no complete backup: ${MANIFEST} is missing, which a backup writes last.`);
  const json = parse(text);
  const format = typeof json === "object" && json !== null ? (json as { format?: unknown }).format : undefined;
  if (typeof format === "string" && format !== FORMAT && format.startsWith("agentgraph-backup/"))
    throw new UserError(`The backup in ${folder} was written by a later version of agentgraph (${format}).`);
  const { data } = manifestSchema.safeParse(json);
  if (!data) throw new UserError(`${join(folder, MANIFEST)} is not the manifest of a backup.`);
  return data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the entries of an index, without a line whose end is missing. The last one of a thread counts. */
export async function readEntries(folder: string, name: string): Promise<Entry[]> {
  const text = await readFile(join(folder, name), "utf8").catch(() => "");
  const byId = new Map<string, Entry>();
  for (const line of text.split("\n")) {
    const { data } = entrySchema.safeParse(parse(line));
    if (data) byId.set(data.id, data);
  }
  return [...byId.values()];
}

export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.partial`);
  const file = await open(draft, "w", MODE);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, name));
}

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
