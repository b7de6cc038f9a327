/**
 * What the emulator's own process loads when it is first asked for: its start is quicker without. In the process of
 * somebody else all of it is loaded at the start, since a test runner may refuse to load anything between two tests.
 */
export const admin = () => require("./admin/routes") as typeof import("./admin/routes");
export const bucketRequests = () => require("./bucket/request-handler") as typeof import("./bucket/request-handler");

export function loadAll(): void {
  for (const load of [admin, bucketRequests]) load();
}
