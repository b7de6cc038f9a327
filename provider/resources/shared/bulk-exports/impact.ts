/** What the impact of a change of an export depends on. */

export const REFERENCES = { bulkExportDestinationId: "its destination is replaced" } as const;

export const BY_VALUE = { sessionId: "its deployment gets another name" } as const;

/** A project belongs to the name of a deployment, so a new deployment may have the same project. */
export const UNKNOWNS = { sessionId: "if it is another project" } as const;
