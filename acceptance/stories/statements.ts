/** Checks facts of docs/platform-api/ over plain HTTP, with one deployment, one thread and one destination. */
import type { Subject } from "../statements/check.ts";
import { checks, perform } from "../statements/index.ts";
import { describe, ok } from "../target/http.ts";
import { createDeployment } from "./fixture.ts";
import { expect, type Story, type Told } from "./story.ts";

export const statements: Story = {
  name: "statements",
  group: "statements",
  // The provider takes no part.
  hosts: ["dynamic"],
  lacks: () => undefined,
  creates: ({ options, server }) => {
    const hasDeployment = server.controlPlane && options.image;
    return {
      text: [hasDeployment && "1 deployment", "some threads", server.bucket && "1 destination"]
        .filter(Boolean)
        .join(", "),
      deployments: hasDeployment ? 1 : 0,
      rollouts: hasDeployment ? 1 : 0,
    };
  },
  tell: async (told) => {
    const subject = await told.step("create what the checks look at", () => createSubject(told));
    for (const check of checks)
      await told.step(check.id, async () => {
        const { id, seen, detail } = await perform(check, subject);
        told.facts.push({ id, seen, ...(detail && { detail }) });
      });
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
  const url = options.agentUrl ?? deployment?.live.body.source_config?.custom_url;
  const agentServer = url ? server.agentServer(url) : undefined;
  const thread = await agentServer?.post("/threads", { metadata: { acceptance: told.name } });
  if (thread) told.lastly.push(async () => agentServer?.delete(`/threads/${thread.body.thread_id}`));
  const destination = await createDestination(told);
  const { graph, project } = options;
  return {
    name: told.name,
    controlPlane,
    tracing,
    agentServer,
    deployment,
    thread,
    destination,
    graph,
    project,
    marker,
  };
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
