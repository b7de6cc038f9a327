import type { Store } from "../runtime/storage/store";
import type { BucketRequest } from "./requests/request";
import type { VerifiedRequest } from "./requests/signature";
import type { BucketResponse } from "./responses";
import { Files } from "./storage/files";
import { ObjectIndex } from "./storage/object-index";
import { Uploads } from "./storage/uploads";

/**
 * The object store. `requests/` parses and verifies requests, `operations/` executes them, and `storage/` stores
 * objects. Nothing here depends on the rest of the platform.
 */
export interface BucketService {
  index: ObjectIndex;
  uploads: Uploads;
  files: Files;
  /** Runs a transaction that makes a new file visible; deletes the file if the transaction fails. */
  commit(file: string, transaction: () => void): void;
}

/** A verified request with its bucket and key. */
export interface BucketOperation {
  service: BucketService;
  request: BucketRequest;
  verified: VerifiedRequest;
  bucket: string;
  key: string;
}

export type OperationHandler = (call: BucketOperation) => BucketResponse | Promise<BucketResponse>;

/** Opens the buckets of a data folder and deletes the leftovers of a killed process. */
export function openBucketService(folder: string, store: Store): BucketService {
  const files = new Files(folder);
  const index = new ObjectIndex(store, files);
  index.ensureDefaultBucket();
  index.deleteOrphanedFiles();
  const commit = (file: string, transaction: () => void) => {
    try {
      store.transaction(transaction);
    } catch (error) {
      files.remove(file);
      throw error;
    }
  };
  return { files, index, uploads: new Uploads(store, index), commit };
}
