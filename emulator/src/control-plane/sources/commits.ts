import { createHash } from "node:crypto";
import type { Context } from "../../runtime/context";

const branchPrefix = "refs/heads/";

/** Returns the commit of a reference: the last one pushed, or a constant one derived from the names. */
export function resolveCommit(context: Context, repoUrl: string, ref: string | null | undefined): string {
  const name = referenceName(context, repoUrl, ref);
  const row = context.store.get("SELECT sha FROM commits WHERE repo_url = ? AND ref = ?", normalizeUrl(repoUrl), name);
  return row
    ? String(row.sha)
    : createHash("sha1")
        .update(`${normalizeUrl(repoUrl)}#${name}`)
        .digest("hex");
}

export function updateReference({ store }: Context, repoUrl: string, name: string, sha: string): void {
  store.upsert("commits", { repo_url: normalizeUrl(repoUrl), ref: name, sha });
}

/** Returns the bare name of a branch, or refs/tags/ and the name of a tag. Default: the default branch. */
export function referenceName({ store }: Context, repoUrl: string, ref: string | null | undefined): string {
  if (ref != null) return ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref;
  const repositories = store.all("SELECT url, default_branch FROM repositories ORDER BY id");
  return String(repositories.find(({ url }) => sameRepository(String(url), repoUrl))?.default_branch ?? "main");
}

export function sameRepository(url: string | null | undefined, other: string): boolean {
  return url != null && normalizeUrl(url) === normalizeUrl(other);
}

/** Normalizes a repository URL: ".git" and trailing slashes do not matter. */
function normalizeUrl(url: string): string {
  return url.replace(/\/+$/, "").replace(/\.git$/, "");
}
