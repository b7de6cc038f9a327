/** The script of requests, in order. */
import { assistantSteps, defaultSteps } from "./assistants.ts";
import { authenticatedSteps } from "./authentication.ts";
import { conversationSteps } from "./conversations.ts";
import { cronSteps } from "./crons.ts";
import { formSteps } from "./forms.ts";
import { runSteps } from "./runs.ts";
import { searchSteps, stateSteps } from "./searches.ts";
import type { Step } from "./step.ts";
import { storeSteps } from "./store.ts";
import { streamSteps } from "./streams.ts";
import { deletionSteps, serverSteps, threadSteps } from "./threads.ts";

export const STEPS: readonly Step[] = [
  ...serverSteps,
  ...threadSteps,
  ...searchSteps,
  ...stateSteps,
  ...runSteps,
  ...deletionSteps,
  ...conversationSteps,
  ...storeSteps,
  ...assistantSteps,
  ...cronSteps,
  ...formSteps,
  ...streamSteps,
  ...defaultSteps,
  ...authenticatedSteps,
];
