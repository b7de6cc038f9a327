/** Where the files of an export are (interface section 2 C, "Output layout"). */
import type { ExportRun } from "../../api/tracing/schemas";

/**
 * What the keys of all files of an export begin with, up to the export's ID. Where a server lays its files out otherwise,
 * it is what the folders of its runs share; undefined where it does not tell, or they share nothing.
 */
export function findFilePrefix(id: string, runs: readonly ExportRun[]): string | undefined {
  const folders = runs.flatMap(({ metadata }) =>
    metadata?.prefix ? [metadata.prefix.split("/").filter(Boolean)] : [],
  );
  const [first = [], ...others] = folders;
  const firstDifference = first.findIndex((part, index) => others.some((folder) => folder[index] !== part));
  const shared = firstDifference < 0 ? first : first.slice(0, firstDifference);
  const idIndex = shared.indexOf(`export_id=${id}`);
  const parts = idIndex < 0 ? shared : shared.slice(0, idIndex + 1);
  return parts.length === 0 ? undefined : `${parts.join("/")}/`;
}
