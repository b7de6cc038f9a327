/** Removes by direct requests what a story left, also where its program no longer can. */
import type { Server } from "../target/server.ts";
import type { Leftover, Removal } from "./leftover.ts";
import { findLeftovers } from "./leftovers.ts";

/** An object that is still there. */
export interface Left extends Pick<Leftover, "kind" | "id" | "name"> {
  removal: Removal;
}

/** Removes everything whose name begins with a text. @returns What is left. @throws Error if it is not known. */
export async function removeRun(server: Server, prefix: string, agentUrl?: string): Promise<Left[]> {
  const left: Left[] = [];
  const { found, problems } = await findLeftovers(server, prefix, agentUrl);
  for (const { kind, id, name, remove } of found) {
    const removal = await remove();
    if (removal !== "removed") left.push({ kind, id, name, removal });
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return left;
}
