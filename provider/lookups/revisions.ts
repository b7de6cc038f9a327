/** Revisions of a deployment and their logs (interface section 4 A, interface-notes section 2). */
import { z } from "zod";
import type { Loose } from "../api/reader";
import { logLineShape, revisionShape } from "../api/revisions";
import { defineLookup } from "./definition";
import { allOf, PAGE } from "./pages";

const deploymentId = z.string().min(1).describe("Id of the deployment.");
const revisionId = z.string().min(1).describe("Id of the revision.");

export const getRevision = defineLookup({
  name: "getRevision",
  sentence: "One revision of a deployment, by its id.",
  section: "4A",
  args: z.strictObject({ deploymentId, revisionId }),
  answer: revisionShape,
  read: (args, { revisions }) => revisions.get(args.deploymentId, args.revisionId),
});

export const getRevisions = defineLookup({
  name: "getRevisions",
  sentence: "All revisions of a deployment, newest first.",
  args: z.strictObject({
    deploymentId,
    status: z.array(z.string()).optional().describe("Words of a status, of which each has one; any when absent."),
  }),
  answer: z.array(revisionShape),
  read: (args, { revisions }) =>
    allOf((offset) => revisions.list(args.deploymentId, { limit: PAGE, offset, status: args.status?.join(",") })),
});

/** Largest page of a log (interface-notes section 2). */
const LOG_PAGE = 1000;

export const getRevisionLogs = defineLookup({
  name: "getRevisionLogs",
  sentence: "The log of a revision's build or of its deployment, all of it where no `limit` is given.",
  args: z.strictObject({
    deploymentId,
    revisionId,
    type: z.enum(["build", "deploy"]).describe("Which of its two logs."),
    order: z.enum(["asc", "desc"]).optional().describe("Oldest line first (`asc`, when absent), or newest first."),
    level: z.string().optional().describe("Only lines of this level, such as ERROR."),
    query: z.string().optional().describe("Only lines that hold this text."),
    startTime: z.string().optional().describe("Only lines from this time on, such as `2026-01-31T12:00:00Z`."),
    endTime: z.string().optional().describe("Only lines until this time."),
    limit: z.int().min(1).optional().describe("So many lines at most; all when absent."),
  }),
  answer: z.array(logLineShape),
  async read(
    { deploymentId, revisionId, type, order = "asc", level, query, startTime, endTime, limit },
    { revisions },
  ) {
    const which = { type, order, level, query, start_time: startTime, end_time: endTime };
    const lines: Loose<z.infer<typeof logLineShape>>[] = [];
    for (let offset: string | undefined; ; ) {
      const wanted = limit === undefined ? LOG_PAGE : Math.min(LOG_PAGE, limit - lines.length);
      const page = await revisions.logs(deploymentId, revisionId, { ...which, limit: wanted, offset });
      lines.push(...(page.logs ?? []));
      // A cursor that stands still would be followed for ever.
      if (
        page.nextOffset == null ||
        page.nextOffset === offset ||
        lines.length >= (limit ?? Number.POSITIVE_INFINITY)
      ) {
        return lines;
      }
      offset = page.nextOffset;
    }
  },
});
