/** Finds the tracing project that is created with each deployment and has its name (API `1A`). */
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import type { State } from "./outputs";

/** Adds the ID of the tracing project to the state if it is available. A failure only causes a warning. */
export async function withTracingProject<S extends State>(state: S, name: string, ctx: Context): Promise<S> {
  return { ...state, tracingProjectId: state.tracingProjectId ?? (await findTracingProject(name, ctx)) };
}

export async function findTracingProject(name: string, ctx: Context): Promise<string | undefined> {
  if (ctx.settings.missing.tracing.length > 0) return undefined;
  try {
    return (await ctx.clients.projectCache.findByName(name))?.id;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.log.warn(`tracingProjectId is unknown, because the request to the tracing API failed: ${error.message}`);
    return undefined;
  }
}
