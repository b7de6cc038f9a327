/** The list of all functions, read by index.ts and by the generator of sdk/nodejs/functions.ts. */
import * as assistants from "./assistants";
import * as crons from "./crons";
import type { FunctionDefinition } from "./definition";
import * as deployments from "./deployments";
import * as sources from "./sources";
import * as threads from "./threads";
import * as tracing from "./tracing";

export const functions: readonly FunctionDefinition[] = [deployments, sources, tracing, threads, assistants, crons]
  .flatMap((file): FunctionDefinition[] => Object.values(file))
  .sort((left, right) => (left.name < right.name ? -1 : 1));
