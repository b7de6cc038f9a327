/** Revisions of a deployment and their logs (interface section 4 A, interface-notes section 2). */
import { z } from "zod";
import { logLineSchema, revisionSchema } from "../api/control-plane/revisions";
import { knownValue } from "../api/known-values";
import { collectAll, paginate } from "../api/pagination";
import { defineFunction, deploymentId } from "./definition";

const revisionId = z.string().min(1).describe("Id of the revision.");

export const getRevision = defineFunction({
  name: "getRevision",
  description: "One revision of a deployment, by its id.",
  example: {
    plain: "{ deploymentId, revisionId }",
    output: "{ deploymentId: agent.id, revisionId: agent.latestRevisionId }",
  },
  section: "4A",
  args: z.strictObject({ deploymentId, revisionId }),
  result: revisionSchema,
  read: (args, { revisions }) => revisions.get(args.deploymentId, args.revisionId),
});

export const getRevisions = defineFunction({
  name: "getRevisions",
  description: "All revisions of a deployment, newest first.",
  example: { plain: "{ deploymentId }", output: "{ deploymentId: agent.id }" },
  args: z.strictObject({
    deploymentId,
    status: z
      .array(knownValue("RevisionStatus"))
      .optional()
      .describe("Words of a status, of which each has one; any when absent."),
  }),
  result: z.array(revisionSchema),
  read: (args, { revisions }) => collectAll(revisions.list(args.deploymentId, args.status?.join(","))),
});

const UNLIMITED = Number.POSITIVE_INFINITY;
/** Largest page of a log (interface-notes section 2). */
const MAX_PAGE_SIZE = 1000;

export const getRevisionLogs = defineFunction({
  name: "getRevisionLogs",
  description: "The log of a revision's build or of its deployment, all of it where no `limit` is given.",
  example: {
    plain: '{ deploymentId, revisionId, type: "deploy" }',
    output: '{ deploymentId: agent.id, revisionId: agent.latestRevisionId, type: "deploy" }',
  },
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
  result: z.array(logLineSchema),
  async read({ deploymentId, revisionId, startTime, endTime, limit: maxLines = UNLIMITED, ...rest }, { revisions }) {
    const query = { order: "asc" as const, ...rest, start_time: startTime, end_time: endTime };
    const limit = Math.min(MAX_PAGE_SIZE, maxLines);
    const read = async (offset?: string) => {
      const { logs, nextOffset } = await revisions.logs(deploymentId, revisionId, { ...query, limit, offset });
      // At the end the cursor stands still where it is not absent.
      return { items: logs ?? [], next: nextOffset === offset ? undefined : (nextOffset ?? undefined) };
    };
    const hint = (count: number) => `Set \`limit: ${count}\` to get those.`;
    const pages = paginate({ what: "lines of the log", limit, read, hint });
    return (await collectAll(pages, ({ length }) => length >= maxLines)).slice(0, maxLines);
  },
});
