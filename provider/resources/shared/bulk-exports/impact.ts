/** What changes of an export depend on. */

export const REFERENCES = { bulkExportDestinationId: "its destination is replaced" } as const;

/** A project belongs to a deployment's name, so a new deployment may have the same one. */
export const UNKNOWNS = { sessionId: "if it is another project" } as const;
