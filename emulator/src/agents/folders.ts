import { existsSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runningRevisions } from "../control-plane/model/records";
import type { Context } from "../runtime/context";

/** The folder of a revision: its unpacked source, and a file that says that it was built. */
function revisionFolder({ folder }: Pick<Context, "folder">, revisionId: string): string {
  return join(folder, "agents", revisionId);
}

export function sourceFolder(context: Pick<Context, "folder">, revisionId: string): string {
  return join(revisionFolder(context, revisionId), "source");
}

/** The file that exists once the source of a revision is built. */
export function builtMark(context: Pick<Context, "folder">, revisionId: string): string {
  return join(revisionFolder(context, revisionId), "built");
}

/** Deletes the folder of a revision. A process that is still ending may write into it. */
export async function removeFolder(context: Pick<Context, "folder">, revisionId: string): Promise<void> {
  await rm(revisionFolder(context, revisionId), { recursive: true, force: true, maxRetries: 5 });
}

/** Deletes the folders of revisions that no longer run, which a killed process leaves behind. */
export function removeStaleFolders(context: Context): void {
  const root = join(context.folder, "agents");
  if (!existsSync(root)) return;
  const kept = new Set(runningRevisions(context.store).map(({ id }) => id));
  for (const name of readdirSync(root)) {
    if (!kept.has(name)) rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
