/**
 * Owners of threads, on servers that authenticate users: a handler of such a server may write who creates an object
 * into its metadata, whatever the request says, and show each user only their own.
 */
import { UserError } from "../../text/user-error";
import type { ConversationServer, ListedThread } from "../server/conversation-server";

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

/** Returns the keys of metadata that name the owner. */
const ownerKeys = ({ template }: OwnerHeader): string[] =>
  [...template.matchAll(PLACEHOLDER)].flatMap(([, key]) => key ?? []);

export class Owners {
  constructor(
    private readonly server: ConversationServer,
    private readonly header: OwnerHeader | undefined,
  ) {}

  /** Whether requests can be those of owners. */
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
