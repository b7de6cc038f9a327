/**
 * A backup in a place: a manifest, which is written last, an index with one line per thread, and parts with the
 * content. Only the owner can read the files: they contain every conversation.
 */
import { z } from "zod";
import { tryOr } from "../../text/try-or";
import { UserError } from "../../text/user-error";
import type { Place } from "../place/place";

export const FORMAT = "agentgraph-backup/1";
export const MANIFEST = "manifest.json";

/** The files of lines, beside the threads. */
export const LISTS = ["assistants", "store", "crons"] as const;
export type List = (typeof LISTS)[number];

/** The name of a file in the place, and of none elsewhere. */
const fileName = z.string().regex(/^[\w-][\w.-]*$/);
/** A position or a size. */
const count = z.int().nonnegative();

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
  offset: count,
  length: count,
});
export type Entry = z.infer<typeof entrySchema>;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  complete: z.literal(true),
  server: z.object({ url: z.string(), language: z.enum(["python", "javascript"]), version: z.string().optional() }),
  /** To whom the content is encrypted; absent where it is not. */
  recipients: z.array(z.string()).optional(),
  /** Of which graph alone the threads are. */
  graph: z.string().optional(),
  index: fileName,
  lists: z.object({ assistants: fileName, store: fileName, crons: fileName }),
  startedAt: z.string(),
  finishedAt: z.string(),
  counts: z.object({
    threads: count,
    byStatus: z.record(z.string(), count),
    assistants: count,
    items: count,
    crons: count,
  }),
  /** SHA-256 of each file. */
  files: z.record(fileName, z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Returns the manifest with the version of its file; undefined without one. @throws UserError if it is not one. */
export async function findManifest(place: Place): Promise<{ manifest: Manifest; version: string } | undefined> {
  const content = await place.read(MANIFEST);
  if (!content) return undefined;
  const json = parse(content.bytes.toString("utf8"));
  const format = typeof json === "object" && json !== null ? (json as { format?: unknown }).format : undefined;
  if (typeof format === "string" && format !== FORMAT && format.startsWith("agentgraph-backup/"))
    throw new UserError(
      `The backup in ${place.name} was written by a later version of agentgraph (${format}). Install that version.`,
    );
  const { data } = manifestSchema.safeParse(json);
  if (!data)
    throw new UserError(
      `${place.name}/${MANIFEST} is not the manifest of a backup. Copy the backup again, or make another one.`,
    );
  return { manifest: data, version: content.version };
}

/** @throws UserError when there is none. */
export async function readManifest(place: Place): Promise<Manifest> {
  const found = await findManifest(place);
  if (found) return found.manifest;
  throw new UserError(
    `${place.name} contains no complete backup: ${MANIFEST} is missing, which a backup writes last. Check the ` +
      "place, or, if the backup was interrupted, run its command again.",
  );
}

export const parseEntry = (line: string): Entry | undefined => entrySchema.safeParse(parse(line)).data;

export const parse = (text: string): unknown => tryOr(() => JSON.parse(text), undefined);

/** Returns the lines of a text, of which the last one may lack its end. */
export async function* linesOfText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
