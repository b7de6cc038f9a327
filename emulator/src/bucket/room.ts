import type { BucketAnswer } from "./answers";
import type { Catalogue } from "./catalogue";
import type { Files } from "./files";
import type { BucketRequest } from "./request";
import type { Proof } from "./signature";
import type { Uploads } from "./uploads";

/** What the operations work with. */
export interface Room {
  catalogue: Catalogue;
  uploads: Uploads;
  files: Files;
  /** Makes what was written visible, all or nothing; where that fails the new file is removed. */
  commit(file: string, work: () => void): void;
}

/** A request whose bucket and key are there as the operation wants them, and which was proven. */
export interface Call {
  room: Room;
  request: BucketRequest;
  proof: Proof;
  bucket: string;
  key: string;
}

export type Operation = (call: Call) => BucketAnswer | Promise<BucketAnswer>;
