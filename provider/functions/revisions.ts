/** The functions for revisions and their logs (API `4A`). */
import { z } from "zod";
import { logLineSchema } from "../api/control-plane/revisions";
import { revisionSchema } from "../api/control-plane/schemas";
import { knownValue } from "../api/known-values";
import { collectAll, paginate } from "../api/pagination";
import { optionalText } from "../schema/optional";
import { defineFunction, deploymentId } from "./definition";

const revisionId = z.string().min(1).describe("ID of the revision.");

export const getRevision = defineFunction({
  name: "getRevision",
  description: "Returns one revision of a deployment, by its ID.",
  example: {
    plain: "{ deploymentId, revisionId }",
    output: "{ deploymentId: agent.id, revisionId: agent.latestRevisionId }",
  },
  section: "4A",
  args: z.strictObject({ deploymentId, revisionId }),
  result: revisionSchema,
  read: (args, { controlPlane }) => controlPlane.getRevision(args.deploymentId, args.revisionId),
});

export const getRevisions = defineFunction({
  name: "getRevisions",
  description: "Returns all revisions of a deployment, newest first.",
  example: { plain: "{ deploymentId }", output: "{ deploymentId: agent.id }" },
  args: z.strictObject({
    deploymentId,
    status: z.array(knownValue("RevisionStatus")).optional().describe("Statuses to include. Defaults to all."),
  }),
  result: z.array(revisionSchema),
  read: (args, { revisions }) => collectAll(revisions.list(args.deploymentId, args.status?.join(","))),
});

const UNLIMITED = Number.POSITIVE_INFINITY;
/** Largest page of a log (API `4A`). */
const MAX_PAGE_SIZE = 1000;

export const getRevisionLogs = defineFunction({
  name: "getRevisionLogs",
  description: "Returns the build or deployment log of a revision: all lines, or at most `limit`.",
  example: {
    plain: '{ deploymentId, revisionId, type: "deploy" }',
    output: '{ deploymentId: agent.id, revisionId: agent.latestRevisionId, type: "deploy" }',
  },
  args: z.strictObject({
    deploymentId,
    revisionId,
    type: z.enum(["build", "deploy"]).describe("Log to read."),
    order: z
      .enum(["asc", "desc"])
      .optional()
      .describe("Order of the lines: oldest first (`asc`) or newest first (`desc`). Defaults to `asc`."),
    level: optionalText("Only lines of this level, such as ERROR."),
    query: optionalText("Only lines that contain this text."),
    startTime: optionalText("Only lines from this time on, such as `2026-01-31T12:00:00Z`."),
    endTime: optionalText("Only lines until this time."),
    limit: z.int().min(1).optional().describe("Maximum number of lines. Defaults to all."),
  }),
  result: z.array(logLineSchema),
  async read({ deploymentId, revisionId, startTime, endTime, limit: maxLines = UNLIMITED, ...rest }, { revisions }) {
    const query = { order: "asc" as const, ...rest, start_time: startTime, end_time: endTime };
    const limit = Math.min(MAX_PAGE_SIZE, maxLines);
    const read = async (offset?: string) => {
      const { logs, nextOffset } = await revisions.logs(deploymentId, revisionId, { ...query, limit, offset });
      // At the end of the log, the cursor is absent or does not change.
      return { items: logs ?? [], next: nextOffset === offset ? undefined : (nextOffset ?? undefined) };
    };
    const hint = (count: number) => `Set \`limit: ${count}\` to read only those.`;
    const pages = paginate({ noun: "lines of the log", limit, read, hint });
    return (await collectAll(pages, ({ length }) => length >= maxLines)).slice(0, maxLines);
  },
});
