/** Finds where the files of an export are (API `2C.Output layout`). */
import type { ExportRun } from "../../api/tracing/schemas";

/**
 * Returns the common prefix of the keys of all files, up to the export's ID. With another layout, returns what the folders
 * of all runs share; undefined if the server does not return folders, or they share nothing.
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
