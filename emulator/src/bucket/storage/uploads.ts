import { randomUUID } from "node:crypto";
import type { Row, Store } from "../../runtime/storage/store";
import { S3Error } from "../errors";
import type { ObjectIndex } from "./object-index";

/** An unfinished multipart upload. */
export interface Upload {
  id: string;
  bucket: string;
  key: string;
  startedAt: number;
  headers: Record<string, string>;
}

export interface Part {
  number: number;
  file: string;
  size: number;
  /** MD5 in hex. */
  etag: string;
  modifiedAt: number;
}

/** The unfinished multipart uploads. */
export class Uploads {
  constructor(
    private readonly store: Store,
    private readonly index: ObjectIndex,
  ) {}

  start(bucket: string, key: string, headers: Record<string, string>): Upload {
    const upload: Upload = { id: randomUUID(), bucket, key, startedAt: Date.now(), headers };
    const { id, startedAt } = upload;
    this.store.upsert("bucket_uploads", { id, bucket, key, started_at: startedAt, headers: JSON.stringify(headers) });
    return upload;
  }

  /** @throws S3Error if the object has no such upload. */
  find(bucket: string, key: string, id: string): Upload {
    const sql = "SELECT * FROM bucket_uploads WHERE id = ? AND bucket = ? AND key = ?";
    const row = this.store.get(sql, id, bucket, key);
    if (!row) throw new S3Error("NoSuchUpload", { UploadId: id });
    return toUpload(row);
  }

  /** Returns the uploads of a bucket by key, then oldest first. */
  list(bucket: string): Upload[] {
    const sql = "SELECT * FROM bucket_uploads WHERE bucket = ? ORDER BY key, started_at, id";
    return this.store.all(sql, bucket).map(toUpload);
  }

  /** Returns the parts by number. */
  parts(upload: Upload): Part[] {
    return this.store.all("SELECT * FROM bucket_parts WHERE upload = ? ORDER BY number", upload.id).map(toPart);
  }

  /** Stores a part, replacing the one of its number. @throws S3Error if the upload has ended meanwhile. */
  putPart(upload: Upload, { number, file, size, etag, modifiedAt }: Part): void {
    this.store.transaction(() => {
      this.find(upload.bucket, upload.key, upload.id);
      const previous = this.parts(upload).find((part) => part.number === number);
      if (previous) this.index.deleteFileAfterCommit(previous.file);
      const row = { upload: upload.id, number, file, size, etag, modified_at: modifiedAt };
      this.store.upsert("bucket_parts", row);
    });
  }

  /** Deletes an upload and its parts. */
  remove(upload: Upload): void {
    this.store.transaction(() => {
      for (const { file } of this.parts(upload)) this.index.deleteFileAfterCommit(file);
      this.store.run("DELETE FROM bucket_parts WHERE upload = ?", upload.id);
      this.store.run("DELETE FROM bucket_uploads WHERE id = ?", upload.id);
    });
  }
}

function toUpload(row: Row): Upload {
  return {
    id: String(row.id),
    bucket: String(row.bucket),
    key: String(row.key),
    startedAt: Number(row.started_at),
    headers: JSON.parse(String(row.headers)),
  };
}

function toPart(row: Row): Part {
  return {
    number: Number(row.number),
    file: String(row.file),
    size: Number(row.size),
    etag: String(row.etag),
    modifiedAt: Number(row.modified_at),
  };
}
