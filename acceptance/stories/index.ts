/** All stories, in the order of the report. */
import { deploymentLife } from "./deployment.ts";
import { exportLife } from "./exports.ts";
import type { Story } from "./story.ts";
import { threadLife } from "./threads.ts";

export const stories: readonly Story[] = [deploymentLife, threadLife, exportLife];
