/** All stories, in the order of the report. */
import { assistantLife } from "./agent-server/assistants.ts";
import { cronLife } from "./agent-server/crons.ts";
import { threadLife } from "./agent-server/threads.ts";
import { adoption } from "./deployments/adoption.ts";
import { deploymentLife } from "./deployments/deployment.ts";
import { repositoryLife } from "./deployments/repository.ts";
import { verifiedRollouts } from "./deployments/verified.ts";
import { exportLife } from "./exports.ts";
import { functionCalls } from "./functions.ts";
import { serviceLife } from "./services.ts";
import { statements } from "./statements.ts";
import type { Story } from "./story.ts";

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
