import type { Store } from "../runtime/storage/store";
import type { BucketRequest } from "./requests/request";
import type { Proof } from "./requests/signature";
import type { BucketAnswer } from "./responses";
import { Files } from "./storage/files";
import { Catalogue } from "./storage/object-index";
import { Uploads } from "./storage/uploads";

/**
 * The object store. `requests/` parses and verifies requests, `operations/` executes them, and `storage/` stores objects.
 * Nothing here depends on the rest of the platform.
 */
export interface BucketRoom {
  catalogue: Catalogue;
  uploads: Uploads;
  files: Files;
  /** Runs a transaction that makes a new file visible; deletes the file if the transaction fails. */
  commit(file: string, work: () => void): void;
}

/** A verified request with its bucket and key. */
export interface Call {
  room: BucketRoom;
  request: BucketRequest;
  proof: Proof;
  bucket: string;
  key: string;
}

export type Operation = (call: Call) => BucketAnswer | Promise<BucketAnswer>;

/** Opens the buckets of a data folder and deletes the leftovers of a killed process. */
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
