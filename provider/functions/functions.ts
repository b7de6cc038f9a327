/** The list of all functions, read by index.ts and by the generator of sdk/nodejs/functions.ts. */
import { getAssistant, getAssistantSchemas, getAssistants, getAssistantVersions } from "./assistants";
import { getCron, getCrons } from "./crons";
import type { FunctionDefinition } from "./definition";
import { getDeployment, getDeployments, getRevision, getRevisionLogs, getRevisions } from "./deployments";
import {
  getIntegration,
  getIntegrations,
  getListener,
  getListeners,
  getPushToken,
  getRepositories,
  getUploadUrl,
} from "./sources";
import { getThread, getThreadHistory, getThreadState, getThreads } from "./threads";
import {
  getBulkExport,
  getBulkExportDestination,
  getBulkExportDestinations,
  getBulkExportRuns,
  getBulkExports,
  getProject,
  getWorkspace,
} from "./tracing";

export const functions: readonly FunctionDefinition[] = [
  ...[getDeployment, getDeployments, getRevision, getRevisions, getRevisionLogs],
  ...[getIntegration, getIntegrations, getRepositories, getListener, getListeners, getPushToken, getUploadUrl],
  ...[getWorkspace, getProject],
  ...[getBulkExportDestination, getBulkExportDestinations, getBulkExport, getBulkExports, getBulkExportRuns],
  ...[getThread, getThreads, getThreadState, getThreadHistory],
  ...[getAssistant, getAssistants, getAssistantVersions, getAssistantSchemas, getCron, getCrons],
];
