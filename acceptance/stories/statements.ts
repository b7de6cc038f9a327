/**
 * Checks facts of docs/platform-api/ over plain HTTP, with a deployment, a thread, an assistant, a cron and a
 * destination.
 */
import { agentUrlOf, marksOf, type Subject } from "../statements/check.ts";
import { cronBody } from "../statements/crons.ts";
import { checks, perform } from "../statements/index.ts";
import { emptyBody, remove, request } from "../statements/probes.ts";
import { type Api, describe, ok, type Reply } from "../target/http.ts";
import { DELETION, lookAtDeletion } from "./deployments/deletion.ts";
import { lookAtNextRevision, NEXT_REVISION } from "./deployments/next-revision.ts";
import { createDeployment } from "./fixture.ts";
import { expect, Interrupted, type Story, type Told } from "./story.ts";

export const statements: Story = {
  name: "statements",
  group: "statements",
  // The provider takes no part.
  hosts: ["dynamic"],
  lacks: () => undefined,
  creates: ({ options, server }) => {
    const hasDeployment = server.controlPlane && options.image;
    return {
      text: [
        hasDeployment && "1 deployment, up to 6 without content",
        "some threads, assistants and crons",
        server.bucket && "1 destination",
      ]
        .filter(Boolean)
        .join(", "),
      deployments: hasDeployment ? 3 : 0,
      rollouts: hasDeployment ? (options.nextImage ? 2 : 1) : 0,
    };
  },
  looksAt: [...checks.map(({ id }) => id), ...DELETION, ...NEXT_REVISION],
  tell: async (told) => {
    const subject = await told.step("create what the checks look at", () => createSubject(told));
    await told.step(`check ${checks.length} facts`, async () => {
      for (const check of checks) {
        if (told.run.stop.aborted) throw new Interrupted();
        const { id, seen, detail } = await perform(check, subject);
        told.facts.push({ id, seen, ...(detail && { detail }) });
      }
    });
    await told.step("check what a deletion shows", () => lookAtDeletion(told, subject));
    // The last step: it changes the deployment.
    await told.step("check what another revision shows", () => lookAtNextRevision(told, subject));
  },
};

async function createSubject(told: Told): Promise<Subject> {
  const { server, options } = told.run;
  const { controlPlane, tracing } = server;
  const marker = `acceptance/${told.name}`;
  const hasDeployment = controlPlane && options.image;
  const deployment = hasDeployment
    ? await createDeployment(told, [{ name: "PULUMI_RESOURCE", value: marker }])
    : undefined;
  const secrets = [{ name: "ACCEPTANCE", value: "not-a-secret" }];
  const revision = { source_revision_config: { agentgraph_config_path: "agentgraph.json" } };
  const empty = hasDeployment && (await createEmpty(told, controlPlane, "empty", { secrets }));
  const folder =
    hasDeployment && (await createEmpty(told, controlPlane, "folder", { source: "internal_source", ...revision }));
  const url = options.agentUrl ?? (deployment && agentUrlOf(deployment.live.body));
  const agentServer = url ? server.agentServer(url) : undefined;
  const thread = await agentServer?.post("/threads", {
    metadata: marksOf({ name: told.name, prefix: options.prefix }),
  });
  if (thread) told.lastly.push(async () => agentServer?.delete(`/threads/${thread.body.thread_id}`));
  const destination = await createDestination(told);
  const { graph, project, prefix, image } = options;
  const agents = agentServer && graph ? await createAssistant(told, agentServer, graph) : {};
  return {
    ...{ name: told.name, prefix, ...agents },
    controlPlane,
    tracing,
    agentServer,
    deployment,
    ...(empty && { empty }),
    ...(folder && { folder }),
    githost: server.vocabulary.githost ?? "githost",
    image,
    thread,
    destination,
    graph,
    project,
    marker,
  };
}

/** Creates an assistant, and a cron of it, where the agent server has them. */
async function createAssistant(told: Told, api: Api, graph: string): Promise<{ assistant?: Reply; cron?: Reply }> {
  const { prefix } = told.run.options;
  const metadata = marksOf({ name: told.name, prefix });
  const assistant = await api.post("/assistants", { graph_id: graph, name: told.name, metadata });
  if (!ok(assistant)) {
    told.skip("assistants and crons", `POST /assistants returned ${describe(assistant)}`);
    return {};
  }
  // The server deletes the cron with its assistant.
  const { assistant_id: id } = assistant.body;
  told.lastly.push(async () => api.delete(`/assistants/${id}`));
  const cron = await api.post("/runs/crons", cronBody({ prefix, name: told.name }, id));
  if (!ok(cron)) told.skip("crons", `POST /runs/crons returned ${describe(cron)}`);
  return { assistant, ...(ok(cron) && { cron }) };
}

/** Creates a deployment without content, and reads it. @returns The response of the create where that is rejected. */
async function createEmpty(told: Told, api: Api, suffix: string, more: object): Promise<Reply> {
  const created = await request(api, emptyBody(`${told.name}-${suffix}`, more));
  if (!ok(created)) return created;
  told.lastly.push(() => remove(api, created.body.id));
  return api.get(`/v2/deployments/${created.body.id}`);
}

async function createDestination(told: Told): Promise<Subject["destination"]> {
  const { tracing, bucket } = told.run.server;
  if (!tracing || !bucket) return undefined;
  const place = bucket.endpoint ? { endpoint_url: bucket.endpoint } : { region: bucket.region };
  const body = {
    ...{
      destination_type: "s3",
      display_name: told.name,
      config: { bucket_name: bucket.name, prefix: told.name, ...place },
    },
    credentials: { access_key_id: bucket.accessKeyId, secret_access_key: bucket.secretAccessKey },
  };
  const created = await tracing.post("/api/v1/bulk-exports/destinations", body);
  expect(ok(created), "a destination is created", describe(created));
  return { body, created };
}
