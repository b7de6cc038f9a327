/** Encryption to recipients in the format of age (age-encryption.org/v1), so that its tools decrypt each file. */
import { createDecipheriv, hkdfSync } from "node:crypto";
import { Decrypter, Encrypter } from "age-encryption";
import type { Decryption, Encryption, ReadableFile } from "../../provider/conversations/file/encryption";
import type { NewFile, Place } from "../../provider/conversations/place/place";
import { UserError } from "../../provider/text/user-error";

/** The content is encrypted in pieces of this size, each of which is decrypted alone. */
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_BYTES = PIECE_BYTES + TAG_BYTES;
const NONCE_BYTES = 16;
const READ_BYTES = 16 * PIECE_BYTES;
/** A recipient takes at most 1.6 kB of it. */
const MAX_HEADER_BYTES = 64 * 1024;

/** @throws UserError when a text is not a recipient. */
export function assertRecipients(recipients: readonly string[]): void {
  for (const recipient of recipients) encrypterFor([recipient]);
}

function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new UserError(`"${recipient}" is not a recipient of age. Expected age1…, which age-keygen prints.`);
    }
  return encrypter;
}

export const ageEncryption: Encryption = {
  async encrypt(file, recipients) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const sealed = await encrypterFor(recipients).encrypt(readable);
    const written = (async () => {
      for await (const bytes of sealed) await file.append(bytes);
    })();
    // Anyone who appends or ends it learns of a failure.
    written.catch(() => undefined);
    const encrypted: NewFile = {
      append: (bytes) => Promise.race([writer.write(bytes), written]),
      // The last piece is written at the end.
      sync: () => Promise.resolve(false),
      end: async () => {
        await Promise.all([writer.close(), written]);
        await file.end();
      },
      abort: async () => {
        await writer.abort().catch(() => undefined);
        await file.abort();
      },
    };
    return encrypted;
  },
};

/** @param identities Keys as age-keygen prints them. @throws UserError, without the text, when one is not a key. */
export function ageDecryption(identities: readonly string[]): Decryption {
  const decrypter = new Decrypter();
  for (const identity of identities)
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new UserError("A line of the identity file is not a key of age. Expected AGE-SECRET-KEY-1….");
    }
  return { open: (place, file) => AgeFile.open(place, file, decrypter) };
}

class AgeFile implements ReadableFile {
  private constructor(
    private readonly place: Place,
    private readonly file: string,
    /** Where the encrypted content begins, its size, and the key of this file. */
    private readonly content: { key: Buffer; start: number; size: number },
  ) {}

  static async open(place: Place, file: string, decrypter: Decrypter): Promise<AgeFile> {
    const size = (await place.size(file)) ?? 0;
    const begin = size > 0 ? await place.readRange(file, 0, Math.min(size, MAX_HEADER_BYTES)) : Buffer.alloc(0);
    const headerSize =
      /^age-encryption\.org\/v1\n[\s\S]*?\n--- [^\n]*\n/.exec(begin.toString("latin1"))?.[0].length ?? 0;
    const start = headerSize + NONCE_BYTES;
    if (headerSize === 0 || begin.length < start) throw damaged(place, file);
    const fileKey = await decrypter.decryptHeader(begin.subarray(0, headerSize)).catch((error: Error) => {
      if (/no identity matched/.test(error.message)) throw noIdentity(place, file);
      throw damaged(place, file);
    });
    const nonce = begin.subarray(headerSize, start);
    const key = Buffer.from(hkdfSync("sha256", fileKey, nonce, "payload", 32));
    return new AgeFile(place, file, { key, start, size: size - start });
  }

  async readRange(offset: number, length: number): Promise<Buffer> {
    const first = Math.floor(offset / PIECE_BYTES);
    const from = first * SEALED_BYTES;
    const to = Math.min(this.content.size, Math.ceil((offset + length) / PIECE_BYTES) * SEALED_BYTES);
    const sealed = await this.place.readRange(this.file, this.content.start + from, to - from);
    const pieces: Buffer[] = [];
    for (let at = 0; at < sealed.length; at += SEALED_BYTES)
      pieces.push(this.decrypt(sealed.subarray(at, at + SEALED_BYTES), (from + at) / SEALED_BYTES));
    const begin = offset - first * PIECE_BYTES;
    return Buffer.concat(pieces).subarray(begin, begin + length);
  }

  async *stream(): AsyncGenerator<Uint8Array> {
    const size = this.content.size - Math.ceil(this.content.size / SEALED_BYTES) * TAG_BYTES;
    for (let at = 0; at < size; at += READ_BYTES) yield await this.readRange(at, Math.min(READ_BYTES, size - at));
  }

  private decrypt(sealed: Buffer, number: number): Buffer {
    const isLast = (number + 1) * SEALED_BYTES >= this.content.size;
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(number, 5, 6);
    nonce[11] = isLast ? 1 : 0;
    const decipher = createDecipheriv("chacha20-poly1305", this.content.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const bytes = decipher.update(sealed.subarray(0, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw damaged(this.place, this.file);
    }
    return bytes;
  }
}

const damaged = ({ name }: Place, file: string) =>
  new UserError(
    `${name}/${file} cannot be decrypted: it is not what the backup wrote. Copy the backup again, or make another one.`,
  );

const noIdentity = ({ name }: Place, file: string) =>
  new UserError(
    `The identity does not open ${name}/${file}, which is encrypted to another recipient. Pass the one of a recipient.`,
  );
