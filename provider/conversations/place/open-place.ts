/** Opens what `--to`, `--from` and `keepConversations` name. */
import { resolve } from "node:path";
import { UserError } from "../../text/user-error";
import { Folder } from "./folder";
import type { Place } from "./place";

export interface PlaceContext {
  /** Paths are relative to it. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** @param at A folder, or `s3://bucket/prefix`. @throws UserError when it is neither. */
export async function openPlace(at: string, { folder, env }: PlaceContext): Promise<Place> {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(at)?.[1]?.toLowerCase();
  if (scheme === undefined) return new Folder(resolve(folder, at));
  // Loaded on demand: most places are folders.
  if (scheme === "s3") return (require("./bucket/bucket") as typeof import("./bucket/bucket")).openBucket(at, env);
  throw new UserError(`${at} is neither a folder nor a place in a bucket. Expected a path, or s3://bucket/prefix.`);
}
