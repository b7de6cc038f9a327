/** What a change does, in the words of a preview. */

/** @param destinationId Undefined while it is not known, which means that the destination is replaced as well. */
export function restarts(
  what: string,
  changes: readonly string[],
  replaces: readonly string[],
  destinationId: string | undefined,
  spent?: string,
): string {
  const causes = replaces.map((path) =>
    path === "bulkExportDestinationId" && destinationId === undefined ? "its destination is replaced" : path,
  );
  const all = spent === undefined ? causes : [...causes, spent];
  return all.length > 0
    ? `restarts ${what}: ${all.join(", ")}`
    : `changes nothing on the service: ${changes.join(", ")}`;
}
