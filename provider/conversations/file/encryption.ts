/** What a backup needs of a way of encryption. The implementation is passed in: most commands load none. */
import { UserError } from "../../text/user-error";
import type { NewFile, Place } from "../place/place";
import type { Manifest } from "./manifest";

export interface Encryption {
  /** Returns a file that encrypts what is appended, and writes that to the given one. */
  encrypt(file: NewFile, recipients: readonly string[]): Promise<NewFile>;
}

export interface Decryption {
  /** @throws UserError when no identity opens the file. */
  open(place: Place, file: string): Promise<ReadableFile>;
}

/** The content of a file, decrypted where it is encrypted. */
export interface ReadableFile {
  readRange(offset: number, length: number): Promise<Buffer>;
  stream(): AsyncIterable<Uint8Array>;
}

export interface Encrypting {
  encryption: Encryption;
  recipients: readonly string[];
}

export interface WriterOptions {
  /** Whether a complete backup in the place is brought up to date, which is encrypted to the same recipients. */
  isUpdated: boolean;
  /** To whom the content is encrypted. Default: not at all, or those of the backup that is brought up to date. */
  recipients?: readonly string[] | undefined;
  encryption?: Encryption | undefined;
}

/** @throws UserError when a backup would be encrypted in parts, or to several groups of recipients. */
export function encryptionOf(
  place: Place,
  previous: Manifest | undefined,
  options: WriterOptions,
): Encrypting | undefined {
  const { encryption, recipients = previous?.recipients } = options;
  const [wanted, present] = [recipients, previous?.recipients].map((all) => [...(all ?? [])].sort().join(", "));
  if (previous && wanted !== present)
    throw new UserError(
      `The backup in ${place.name} is ${present ? `encrypted to ${present}` : "not encrypted"}, which an ` +
        `update does not change. Make another backup in another ${place.kind}.`,
    );
  if (!recipients || recipients.length === 0) return undefined;
  if (!encryption) throw new UserError(`The backup in ${place.name} is encrypted. Update it with agentgraph backup.`);
  return { encryption, recipients };
}
