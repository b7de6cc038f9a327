/** A file of a backup while it is written: it is encrypted where the backup is, and has a digest. */
import { createHash } from "node:crypto";
import type { NewFile, Place } from "../place/place";
import type { Encrypting } from "./encryption";

export class BackupFile {
  /** How many were appended. */
  bytes = 0;
  private readonly hash = createHash("sha256");

  private constructor(
    readonly name: string,
    private readonly file: NewFile,
  ) {}

  /** @param encrypting Undefined: the file is not encrypted. */
  static async create(place: Place, plainName: string, encrypting: Encrypting | undefined): Promise<BackupFile> {
    const name = encrypting ? `${plainName}.age` : plainName;
    const written = await place.create(name);
    const append = async (bytes: Uint8Array) => {
      created.hash.update(bytes);
      await written.append(bytes);
    };
    const hashed = { append, sync: () => written.sync(), end: () => written.end(), abort: () => written.abort() };
    const file = encrypting ? await encrypting.encryption.encrypt(hashed, encrypting.recipients) : hashed;
    const created = new BackupFile(name, file);
    return created;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.file.append(bytes);
    this.bytes += bytes.length;
  }

  sync(): Promise<boolean> {
    return this.file.sync();
  }

  /** Returns the SHA-256 of what was written. */
  async end(): Promise<string> {
    await this.file.end().catch(async (error: unknown) => {
      await this.abort();
      throw error;
    });
    return this.hash.digest("hex");
  }

  async abort(): Promise<void> {
    await this.file.abort().catch(() => undefined);
  }
}
