import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../errors";

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets for the store (API `2C.Destination.credentials:encrypted`), with a key in a separate file. */
export class SecretBox {
  private readonly path: string;
  private cachedKey: Buffer | undefined;

  /** A `temporary` key is not flushed to disk. */
  constructor(
    folder: string,
    private readonly temporary = false,
  ) {
    this.path = join(folder, "vault.key");
  }

  /** Encrypts a secret. Only the same `owner` can decrypt it. */
  seal(secret: string, owner: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.key(), iv).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
  }

  open(sealed: string, owner: string): string {
    const bytes = Buffer.from(sealed, "base64");
    const decipher = createDecipheriv(algorithm, this.key(), bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return text.toString("utf8");
  }

  private key(): Buffer {
    this.cachedKey ??= this.readKey() ?? this.createKey();
    return this.cachedKey;
  }

  private readKey(): Buffer | undefined {
    try {
      return readFileSync(this.path);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  private createKey(): Buffer {
    const key = randomBytes(keyBytes);
    writeFileSync(this.path, key, { mode: 0o600, flag: "wx", flush: !this.temporary });
    return key;
  }
}
