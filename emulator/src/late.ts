/**
 * What the emulator's own process loads when it is first asked for: its start is quicker without. In the process of
 * somebody else all of it is loaded at the start, since a test runner may refuse to load anything between two tests.
 */
export const admin = () => require("./admin") as typeof import("./admin");
export const bucketRequests = () => require("./bucket/serve") as typeof import("./bucket/serve");

export function loadAll(): void {
  for (const load of [admin, bucketRequests]) load();
}
