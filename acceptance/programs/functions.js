/** Calls every function, and reports for each whether it returned or what it said. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const { deploymentId, deploymentName, revisionId, threadId, agentUrl, pushed, uploaded } =
  config.requireObject("known");
const thread = agentUrl ? { deploymentUrl: agentUrl, threadId } : { deploymentId, threadId };
const { deploymentUrl = undefined } = thread;
const server = deploymentUrl ? { deploymentUrl } : { deploymentId };

/** Returns the first item of a list that the server has, for the function that reads one. */
const first = async (list, use, what) => {
  const [item] = await list;
  return item ? use(item) : `none: the server has no ${what}`;
};
const exportsOf = () => agentgraph.getBulkExports();
const destinations = () => agentgraph.getBulkExportDestinations();
const integrations = () => agentgraph.getIntegrations();

const calls = {
  getDeployment: () => agentgraph.getDeployment({ id: deploymentId }),
  getDeployments: () => agentgraph.getDeployments({ nameContains: deploymentName }),
  getRevision: () => agentgraph.getRevision({ deploymentId, revisionId }),
  getRevisions: () => agentgraph.getRevisions({ deploymentId }),
  getRevisionLogs: () => agentgraph.getRevisionLogs({ deploymentId, revisionId, type: "deploy" }),
  getIntegrations: integrations,
  getIntegration: () => first(integrations(), ({ name }) => agentgraph.getIntegration({ name }), "integration"),
  getRepositories: () =>
    first(integrations(), ({ id }) => agentgraph.getRepositories({ integrationId: id }), "integration"),
  getListeners: () => agentgraph.getListeners(),
  getListener: () => first(agentgraph.getListeners(), ({ id }) => agentgraph.getListener({ id }), "listener"),
  getPushToken: () => (pushed.id ? agentgraph.getPushToken({ deploymentId: pushed.id }) : `none: ${pushed.why}`),
  getUploadUrl: () => (uploaded.id ? agentgraph.getUploadUrl({ deploymentId: uploaded.id }) : `none: ${uploaded.why}`),
  getWorkspace: () => agentgraph.getWorkspace(),
  getProject: () => agentgraph.getProject({ name: deploymentName }),
  getBulkExportDestinations: destinations,
  getBulkExportDestination: () =>
    first(destinations(), ({ id }) => agentgraph.getBulkExportDestination({ id }), "destination"),
  getBulkExports: exportsOf,
  getBulkExport: () => first(exportsOf(), ({ id }) => agentgraph.getBulkExport({ id }), "export"),
  getBulkExportRuns: () => first(exportsOf(), ({ id }) => agentgraph.getBulkExportRuns({ bulkExportId: id }), "export"),
  getThread: () => agentgraph.getThread(thread),
  getThreads: () => agentgraph.getThreads({ ...server, limit: 10 }),
  getThreadState: () => agentgraph.getThreadState(thread),
  getThreadHistory: () => agentgraph.getThreadHistory({ ...thread, limit: 10 }),
};

const report = async (call) => {
  try {
    const result = await call();
    return typeof result === "string" ? result : "returned";
  } catch (error) {
    return String(error.message);
  }
};

exports.functions = Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, report(call)]));
