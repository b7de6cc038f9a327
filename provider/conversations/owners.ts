/**
 * Owners of threads, on servers that authenticate users: a handler of such a server may write who creates an object
 * into its metadata, whatever the request says, and show each user only their own. A restore leaves each thread to its
 * owner: it checks that before anything is written, and afterwards.
 */
import { ignoreNotFound, recoverFrom } from "../http/errors";
import { UserError } from "../text/user-error";
import type { BackupReader } from "./file/backup-reader";
import type { Journal } from "./file/journal";
import type { Entry } from "./file/manifest";
import { isSameJson, parseLossless } from "./lossless-json";
import { type ConversationServer, type ListedThread, RejectedError } from "./server/conversation-server";
import { compareLines } from "./thread/compare-lines";
import { lineOf } from "./thread/plan";
import type { Conversation } from "./thread/read-thread";

type Metadata = ListedThread["metadata"];

/** A header by which a server takes a request as that of a user: `Authorization` and `Bearer {owner}`. */
export interface OwnerHeader {
  name: string;
  /** With keys of metadata in braces. */
  template: string;
}

const PLACEHOLDER = /\{([^{}]+)\}/g;
/** What a header may contain. */
const SENDABLE = /^[\x20-\x7e]+$/;

const ownerKeys = ({ template }: OwnerHeader): string[] =>
  [...template.matchAll(PLACEHOLDER)].flatMap(([, key]) => key ?? []);

export class Owners {
  constructor(
    private readonly server: ConversationServer,
    private readonly header: OwnerHeader | undefined,
  ) {}

  get areKnown(): boolean {
    return this.header !== undefined;
  }

  /** Returns what identifies the owner of an object; undefined where its metadata names none. */
  ownerOf(metadata: Metadata): string | undefined {
    if (!this.header) return undefined;
    const { template } = this.header;
    const values = ownerKeys(this.header).map((key) => metadata?.[key]);
    if (values.some((value) => typeof value !== "string" && typeof value !== "number")) return undefined;
    return template.replaceAll(PLACEHOLDER, (_, key: string) => String(metadata?.[key]));
  }

  /** Returns the server as the owner of an object sees it. @throws UserError when the owner cannot be in a header. */
  serverFor(metadata: Metadata): ConversationServer {
    const owner = this.ownerOf(metadata);
    if (owner === undefined || !this.header) return this.server;
    if (SENDABLE.test(owner)) return this.server.withHeaders({ [this.header.name]: owner });
    throw new UserError(
      `The owner ${JSON.stringify(owner)} cannot be in the header ${this.header.name}. Use another --as-owner-header.`,
    );
  }
}

interface Target {
  reader: BackupReader;
  journal: Journal;
  targetUrl: string;
  owners: Owners;
}

export const readEntry = async (entry: Entry, reader: BackupReader): Promise<Conversation> =>
  parseLossless(await reader.read(entry)) as Conversation;

/** Creates one thread without a state, and deletes it. @returns New metadata. @throws UserError for another owner. */
export async function assertOwners({ reader, journal, targetUrl, owners }: Target): Promise<Record<string, unknown>> {
  const sample = await findSample(reader, journal, owners);
  if (!sample) return {};
  const { thread_id: id, metadata } = sample;
  await journal.note({ id, state: "begin" });
  const written = await probeMetadata(sample, owners.serverFor(metadata)).catch(async (error: unknown) => {
    // An overloaded server may have created it.
    if (!(error instanceof RejectedError) || (error.isOfEveryRequest && error.status !== 401)) throw error;
    await journal.note({ id, state: "failed" });
    throw new UserError(
      error.status === 409
        ? `${targetUrl} already has thread ${id} of the backup, which this restore did not write. Nothing ` +
            "was written. Delete it there, or use another server."
        : `${targetUrl} does not let this key restore thread ${id}: ${error.message}. Nothing was written. ` +
            "Pass the --header of an administrator.",
    );
  });
  await journal.note({ id, state: "failed" });
  if (Object.keys(written).length === 0) return {};
  for (const entry of reader.entries) {
    const { thread } = await readEntry(entry, reader);
    const key = changedKey(thread.metadata, written);
    // Each of the others has its owner's header.
    const isOther = entry.id !== id && owners.ownerOf(thread.metadata) !== undefined;
    if (key === undefined || isOther) continue;
    throw new UserError(
      `${targetUrl} writes ${JSON.stringify(written[key])} into ${key} of each thread, so thread ${entry.id} ` +
        "and others would get another owner. Nothing was written. Pass --as-owner-header, such as " +
        `"Authorization=Bearer {${key}}", or the --header of an administrator.`,
    );
  }
  return written;
}

/** Returns a thread that this restore has not written: one with an owner, if there is a header for owners. */
async function findSample(reader: BackupReader, journal: Journal, owners: Owners): Promise<ListedThread | undefined> {
  let first: ListedThread | undefined;
  for (const entry of reader.entries) {
    if ((journal.get(entry.id)?.state ?? "failed") !== "failed") continue;
    const { thread } = await readEntry(entry, reader);
    first ??= thread;
    if (!owners.areKnown || owners.ownerOf(thread.metadata) !== undefined) return thread;
  }
  return first;
}

/** Keys that servers themselves write into the metadata of threads. */
const OF_SERVERS: ReadonlySet<string> = new Set(["graph_id", "assistant_id"]);

/** Creates a thread without a state, and deletes it. @returns What the server wrote. @throws RejectedError. */
async function probeMetadata(
  { thread_id, metadata }: ListedThread,
  server: ConversationServer,
): Promise<Record<string, unknown>> {
  const body = { thread_id, metadata: metadata ?? {}, if_exists: "raise" };
  const created = parseLossless(await server.write({ method: "POST", path: "/threads", body })) as ListedThread;
  await server.write({ method: "DELETE", path: `/threads/${thread_id}` }).catch(ignoreNotFound);
  const isWritten = ([key, value]: [string, unknown]) => !OF_SERVERS.has(key) && !isSameJson(metadata?.[key], value);
  return Object.fromEntries(Object.entries(created.metadata ?? {}).filter(isWritten));
}

/** Returns the key under which an object would get another owner than it has. */
const changedKey = (metadata: ListedThread["metadata"], written: Record<string, unknown>): string | undefined =>
  Object.entries(written).find(([key, value]) => metadata?.[key] != null && !isSameJson(metadata[key], value))?.[0];

/** Reads a thread as its owner. Returns what differs; undefined when nothing does. */
export async function compareAsOwner({ thread, history }: Conversation, owners: Owners): Promise<string | undefined> {
  const server = owners.serverFor(thread.metadata);
  const compare = async () => {
    const written = lineOf(await server.readHistory(thread.thread_id));
    const differences = compareLines(lineOf(history).slice(-1), written.slice(-1), server.isPython);
    // Where only its latest state is restored, its number is another one.
    return differences.find((text) => !text.endsWith("another step"));
  };
  return compare().catch(recoverFrom(RejectedError, ({ message }) => message));
}
