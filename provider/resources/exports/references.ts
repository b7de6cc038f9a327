/** The project and the destination that an export names: whether they exist, and which ones are meant. */
import { collectAll } from "../../api/pagination";
import type { Project } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { ignoreHttpError, recover } from "../../http/errors";
import { isSameId } from "../../schema/id";
import { suggestObject } from "../../text/did-you-mean";
import { UserError } from "../../text/user-error";
import type { DesiredExport } from "./fields";

type Names = Partial<Pick<DesiredExport, "bulkExportDestinationId" | "sessionId">>;

/** The most projects that are read to find out whether one exists. */
const MAX_PROJECTS = 500;

/** @throws UserError when the workspace certainly lacks the project or the destination. */
export async function assertReferencesExist(names: Names, ctx: Context): Promise<void> {
  const problem = await describeUnknownReference(names, ctx);
  if (problem !== undefined) throw new UserError(problem);
}

/** Returns which of them the workspace certainly lacks, and what it has instead. */
export async function describeUnknownReference(names: Names, ctx: Context): Promise<string | undefined> {
  const { bulkExportDestinationId, sessionId } = names;
  return (
    (bulkExportDestinationId && (await describeUnknownDestination(bulkExportDestinationId, ctx))) ||
    (sessionId && (await describeUnknownProject(sessionId, ctx))) ||
    undefined
  );
}

async function describeUnknownDestination(id: string, { clients: { tracing } }: Context): Promise<string | undefined> {
  const { destination, isListed } = await tracing.showDestination(id);
  // Where no route returns destinations, nothing is known of it.
  if (destination || !isListed || (await tracing.findDestinationAgain(id))) return undefined;
  const others = (await tracing.listDestinations()).map((other) => ({ id: other.id, name: other.displayName }));
  return sentence("bulkExportDestinationId: destination", id, others);
}

/** A list may omit a project, so its own route must deny it, too; that may be missing, so the list must be complete. */
async function describeUnknownProject(id: string, { clients: { tracing } }: Context): Promise<string | undefined> {
  const isSame = (project: Project) => isSameId(project.id, id);
  if (!(await isDenied(tracing.getProject(id)))) return undefined;
  const isEnough = (all: readonly Project[]) => all.length >= MAX_PROJECTS || all.some(isSame);
  const projects = await collectAll(tracing.listProjects(), isEnough).catch(ignoreHttpError);
  if (!projects || isEnough(projects)) return undefined;
  return sentence("sessionId: project", id, projects);
}

const isDenied = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => false,
    recover(
      () => true,
      ({ isNotFound, isInvalid }) => isNotFound || isInvalid,
    ),
  );

function sentence(
  what: string,
  id: string,
  others: readonly { id: string; name?: string | null | undefined }[],
): string {
  const named = others.map((other) => ({ id: other.id, name: other.name ?? other.id }));
  return `${what} ${id} does not exist in this workspace. ${suggestObject(id, named)}`.trimEnd();
}
