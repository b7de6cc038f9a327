/** The tracing project that is made with each deployment and has its name (interface section 1 A). */
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import type { State } from "./outputs";

/** The state with the project's id, where the tracing API is known and tells it. No deployment fails for its project. */
export async function withTracingProject<S extends State>(state: S, name: string, ctx: Context): Promise<S> {
  return { ...state, tracingProjectId: state.tracingProjectId ?? (await findTracingProject(name, ctx)) };
}

export async function findTracingProject(name: string, ctx: Context): Promise<string | undefined> {
  try {
    return (await ctx.clients.projectCache?.findByName(name))?.id;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.log.warn(`tracingProjectId is not known, since the tracing API could not be asked: ${error.message}`);
    return undefined;
  }
}
