/** All stories, in the order of the report. */
import { adoption } from "./adoption.ts";
import { assistantLife } from "./assistants.ts";
import { cronLife } from "./crons.ts";
import { deploymentLife } from "./deployment.ts";
import { exportLife } from "./exports.ts";
import { functionCalls } from "./functions.ts";
import { repositoryLife } from "./repository.ts";
import { serviceLife } from "./services.ts";
import { statements } from "./statements.ts";
import type { Story } from "./story.ts";
import { threadLife } from "./threads.ts";
import { verifiedRollouts } from "./verified.ts";

export const stories: readonly Story[] = [
  deploymentLife,
  verifiedRollouts,
  repositoryLife,
  assistantLife,
  cronLife,
  threadLife,
  exportLife,
  serviceLife,
  functionCalls,
  adoption,
  statements,
];
