import type { Store } from "../runtime/storage/store";
import type { BucketRequest } from "./requests/request";
import type { Proof } from "./requests/signature";
import type { BucketAnswer } from "./responses";
import { Files } from "./storage/files";
import { Catalogue } from "./storage/object-index";
import { Uploads } from "./storage/uploads";

/**
 * The buckets, as the operations see them. `requests/` understands a request and verifies its signature and its body,
 * `operations/` performs it, and `storage/` keeps objects; nothing here depends on the rest of the platform.
 */
export interface BucketRoom {
  catalogue: Catalogue;
  uploads: Uploads;
  files: Files;
  /** Makes what was written visible, all or nothing; where that fails the new file is removed. */
  commit(file: string, work: () => void): void;
}

/** A request whose bucket and key are there as the operation wants them, and which was proven. */
export interface Call {
  room: BucketRoom;
  request: BucketRequest;
  proof: Proof;
  bucket: string;
  key: string;
}

export type Operation = (call: Call) => BucketAnswer | Promise<BucketAnswer>;

/** Opens the buckets of a data folder and removes what a killed process left there. */
export function openBuckets(folder: string, store: Store): BucketRoom {
  const files = new Files(folder);
  const catalogue = new Catalogue(store, files);
  catalogue.plant();
  catalogue.sweep();
  const commit = (file: string, work: () => void) => {
    try {
      store.transaction(work);
    } catch (error) {
      files.remove(file);
      throw error;
    }
  };
  return { files, catalogue, uploads: new Uploads(store, catalogue), commit };
}
