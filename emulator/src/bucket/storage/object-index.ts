import type { Row, Store } from "../../runtime/storage/store";
import { S3Error } from "../errors";
import type { Files } from "./files";

/** The bucket that every emulator starts with. */
const defaultBucket = "exports";

/** An object in the index. */
export interface StoredObject {
  key: string;
  file: string;
  size: number;
  /** Without quotes. */
  etag: string;
  modifiedAt: number;
  /** Response headers such as its type and user metadata. */
  headers: Record<string, string>;
  /** "crc32:…" if the writer sent a checksum. */
  checksum: string | undefined;
}

/** The index of buckets and objects. */
export class ObjectIndex {
  constructor(
    private readonly store: Store,
    private readonly files: Files,
  ) {}

  buckets(): { name: string; createdAt: number }[] {
    return this.store
      .all("SELECT * FROM buckets ORDER BY name")
      .map(({ name, created_at }) => ({ name: String(name), createdAt: Number(created_at) }));
  }

  hasBucket(name: string): boolean {
    return this.store.get("SELECT 1 FROM buckets WHERE name = ?", name) !== undefined;
  }

  /** @throws S3Error if the bucket does not exist. */
  requireBucket(name: string): void {
    if (!this.hasBucket(name)) throw new S3Error("NoSuchBucket", { BucketName: name });
  }

  addBucket(name: string): void {
    this.store.upsert("buckets", { name, created_at: Date.now() });
  }

  /** Deletes a bucket and its unfinished uploads. @throws S3Error if it contains objects. */
  removeBucket(name: string): void {
    this.store.transaction(() => {
      this.requireBucket(name);
      if (this.objectsFrom(name, "", "", 1).length > 0) throw new S3Error("BucketNotEmpty", { BucketName: name });
      const parts = "FROM bucket_parts WHERE upload IN (SELECT id FROM bucket_uploads WHERE bucket = ?)";
      const files = this.store.all(`SELECT file ${parts}`, name);
      this.store.run(`DELETE ${parts}`, name);
      this.store.run("DELETE FROM bucket_uploads WHERE bucket = ?", name);
      this.store.run("DELETE FROM buckets WHERE name = ?", name);
      for (const { file } of files) this.deleteFileAfterCommit(String(file));
    });
  }

  /** Deletes a bucket with all its objects. */
  removeBucketWithObjects(name: string): void {
    this.store.transaction(() => {
      for (const { file } of this.store.all("SELECT file FROM bucket_objects WHERE bucket = ?", name)) {
        this.deleteFileAfterCommit(String(file));
      }
      this.store.run("DELETE FROM bucket_objects WHERE bucket = ?", name);
      this.removeBucket(name);
    });
  }

  /** Returns the number and the total size of the objects in a bucket. */
  measure(name: string): { objects: number; bytes: number } {
    const sql = "SELECT count(*) AS objects, coalesce(sum(size), 0) AS bytes FROM bucket_objects WHERE bucket = ?";
    const row = this.store.get(sql, name);
    return { objects: Number(row?.objects), bytes: Number(row?.bytes) };
  }

  find(bucket: string, key: string): StoredObject | undefined {
    const row = this.store.get("SELECT * FROM bucket_objects WHERE bucket = ? AND key = ?", bucket, key);
    return row && toObject(row);
  }

  /** Returns objects by key: keys greater than `after` and not less than `start`. */
  objectsFrom(bucket: string, start: string, after: string, count: number): StoredObject[] {
    const sql = "SELECT * FROM bucket_objects WHERE bucket = ? AND key >= ? AND key > ? ORDER BY key LIMIT ?";
    return this.store.all(sql, bucket, start, after, count).map(toObject);
  }

  /** Stores an object, replacing an existing one. @throws S3Error if the bucket was deleted meanwhile. */
  put(bucket: string, object: StoredObject): void {
    this.store.transaction(() => {
      this.requireBucket(bucket);
      this.remove(bucket, object.key);
      const { key, file, size, etag, headers, checksum = null } = object;
      const values = { bucket, key, file, size, etag, checksum };
      this.store.upsert("bucket_objects", {
        ...values,
        modified_at: object.modifiedAt,
        headers: JSON.stringify(headers),
      });
    });
  }

  remove(bucket: string, key: string): void {
    this.store.transaction(() => {
      const object = this.find(bucket, key);
      if (!object) return;
      this.store.run("DELETE FROM bucket_objects WHERE bucket = ? AND key = ?", bucket, key);
      this.deleteFileAfterCommit(object.file);
    });
  }

  /** Deletes a file after the current transaction commits. */
  deleteFileAfterCommit(file: string): void {
    this.store.afterCommit(() => this.files.remove(file));
  }

  /** Creates the default bucket unless it exists. */
  ensureDefaultBucket(): void {
    if (!this.hasBucket(defaultBucket)) this.addBucket(defaultBucket);
  }

  /** Deletes the leftovers of a killed process. Only safe at the start: later, a file may not be indexed yet. */
  deleteOrphanedFiles(): void {
    this.files.removeExcept(new Set(this.allFiles()));
  }

  /** Deletes all files, for a caller that empties the tables. */
  deleteAllFiles(): void {
    for (const file of this.allFiles()) this.deleteFileAfterCommit(file);
  }

  private allFiles(): string[] {
    const rows = this.store.all("SELECT file FROM bucket_objects UNION ALL SELECT file FROM bucket_parts");
    return rows.map(({ file }) => String(file));
  }
}

function toObject(row: Row): StoredObject {
  return {
    key: String(row.key),
    file: String(row.file),
    size: Number(row.size),
    etag: String(row.etag),
    modifiedAt: Number(row.modified_at),
    headers: JSON.parse(String(row.headers)),
    checksum: row.checksum === null ? undefined : String(row.checksum),
  };
}
