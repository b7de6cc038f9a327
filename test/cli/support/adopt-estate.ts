/** What a team has on a service before it knows Pulumi: forty objects of every kind, and more that are history. */
import { defaultTenantId, type Emulator } from "../../../emulator/src";

/** The parts of every value that must show nowhere. */
export const SECRET = "a-value-that-nobody-may-see";

const secret = (name: string) => ({ name, value: `${SECRET}-${name}` });

/** Text that means something in a program, and must not. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the point.
const TRICKY = 'says "hi" to ${nobody}';

const spec = {
  min_scale: 1,
  max_scale: 4,
  cpu: 0.5,
  memory_mb: 1024,
  queue_cpu: 1.5,
  redis_memory_mb: 256,
  db_storage_gi: 20,
  labels: { "team.example.com/name": "billing", note: TRICKY },
  volumes: [
    { name: "prompts", configMap: { name: "billing-prompts" } },
    { name: "scratch", emptyDir: {} },
  ],
  volume_mounts: [{ name: "prompts", mountPath: "/etc/prompts", readOnly: true }],
  init_containers: [
    {
      name: "wait",
      image: "registry.example.com/wait:1",
      command: ["sh", "-c", "echo $HOME && sleep 1"],
      volumeMounts: [],
    },
  ],
  sidecars: [
    {
      name: "proxy",
      image: "registry.example.com/proxy:2",
      env: [
        { name: "LEVEL", value: "a\nb\\c" },
        { name: "PROXY_TOKEN", value: `${SECRET}-PROXY_TOKEN` },
      ],
    },
  ],
};

/** Its agent server is at a second address, too. */
const RESEARCH_ID = "66666666-6666-4666-8666-666666666666";

const image = (version: number | string) => ({ image_uri: `registry.example.com/agent:${version}` });
const deployments = [
  {
    name: "billing-agent",
    source: "external_docker",
    source_config: {
      listener_id: "22222222-2222-4222-8222-222222222222",
      listener_config: { k8s_namespace: "agents" },
      resource_spec: spec,
    },
    source_revision_config: image("1.2.3"),
    secrets: [secret("MODEL_API_KEY"), secret("lower.case")],
    secret_references: [{ name: "DATABASE", secret_name: "db", secret_key: "uri" }],
  },
  ...Array.from({ length: 17 }, (_, index) => index + 1).map((number) => ({
    name: `small-${number}`,
    source: "external_docker",
    source_config: { resource_spec: number % 2 ? {} : { cpu: number / 4, memory_mb: 128 * number } },
    source_revision_config: image(number),
    secrets: number % 3 ? [] : [secret("TOKEN")],
  })),
  ...["main", "refs/tags/v1"].map((repo_ref, index) => ({
    ...(index === 0 && { id: RESEARCH_ID }),
    name: `research-${index}`,
    source: "githost",
    source_config: {
      integration_id: "33333333-3333-4333-8333-333333333333",
      repo_url: "https://git.example/team/agent",
      deployment_type: "prod",
      build_on_push: index === 0,
      install_command: "npm ci",
      build_command: "npm run build",
    },
    // Values that a build adds are not declared.
    source_revision_config: { repo_ref, agentgraph_config_path: "agentgraph.json", repo_commit_sha: "abc" },
    secrets: [secret("MODEL_API_KEY")],
  })),
  { name: "mail-agent", source: "internal_docker", source_revision_config: image("mail") },
  { name: "waiting-agent", source: "internal_docker", revision_status: null },
  {
    name: "notes-agent",
    source: "internal_source",
    source_config: { install_command: "npm ci" },
    source_revision_config: { agentgraph_config_path: "agentgraph.json", source_tarball_path: "tarballs/notes.tar.gz" },
    secrets: [secret("MODEL_API_KEY")],
  },
  { name: "starter-agent", source: "internal_template", secrets: [secret("KEY")] },
];

interface Made {
  id: string;
}

/** @param call A request to the server, which must succeed. */
export async function plantEstate(
  emulator: Emulator,
  call: (method: string, path: string, body?: object) => Promise<Made>,
) {
  await emulator.clock.freeze();
  const { url, accessKeyId, secretAccessKey } = emulator.bucket;
  const credentials = { access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  const config = (prefix: string) => ({ bucket_name: "exports", prefix, endpoint_url: url });
  const [billing, ...others] = deployments;
  const custom_url = `${emulator.urls.controlPlane.replace("127.0.0.1", "localhost")}/agents/${RESEARCH_ID}`;
  const seeded = await emulator.seed({
    deployments: [{ ...billing, source_config: { ...billing?.source_config, custom_url } }, ...others] as never,
    destinations: [
      { display_name: "Data lake", config: config("traces"), credentials },
      { display_name: "Audit's own", config: { ...config(""), include_bucket_in_prefix: true }, credentials },
      {
        display_name: "billing-agent",
        config: {
          ...config("billing"),
          config_kwargs_s3: { addressing_style: "path" },
          s3_additional_kwargs: { ACL: "private" },
        },
        credentials,
      },
    ],
  });
  const [lake = "", audit = ""] = seeded.destinations ?? [];
  const projects = (await call("GET", "/api/v1/sessions?limit=100")) as unknown as { id: string; name: string }[];
  const projectOf = (name: string) => projects.find((project) => project.name === name)?.id;
  const other = (
    await emulator.loadRuns({ project: "not-a-deployment" }, [{ name: "x", start_time: "2026-01-15T12:00:00Z" }])
  ).session_id;
  const day = { start_time: "2026-01-15T00:00:00Z", end_time: "2026-01-16T00:00:00Z" };
  const make = (job: object) => call("POST", "/api/v1/bulk-exports", job);
  const to = (bulk_export_destination_id: string, session_id: string | undefined) => ({
    bulk_export_destination_id,
    session_id,
  });

  const done = await make({ ...to(lake, projectOf("billing-agent")), ...day, export_fields: ["id", "name"] });
  await emulator.clock.advance(3 * 3_600_000);
  const stopped = await make({ ...to(lake, projectOf("small-1")), ...day });
  await call("PATCH", `/api/v1/bulk-exports/${stopped.id}`, { status: "Cancelled" });
  const jobs = [
    { ...to(lake, projectOf("billing-agent")), ...day, filter: 'and(eq(run_type, "llm"), neq(error, null))' },
    { ...to(audit, projectOf("small-2")), ...day, compression: "gzip", format_version: "v1" },
    { ...to(audit, other), ...day, export_fields: ["id", "trace_id", "name"] },
    { bulk_export_destination_id: lake, all_experiments: true, ...day },
  ];
  const future = "2100-01-01T00:00:00Z";
  const schedules = [
    { ...to(lake, projectOf("billing-agent")), start_time: future, interval_hours: 24 },
    { ...to(lake, projectOf("billing-agent")), start_time: future, interval_hours: 24, filter: "eq(is_root, true)" },
    { ...to(audit, projectOf("research-0")), start_time: future, interval_hours: 1 },
    { bulk_export_destination_id: audit, all_experiments: true, start_time: future, interval_hours: 168 },
  ];
  for (const job of [...jobs, ...schedules]) await make(job);
  const agent = `/agents/${seeded.deployments?.[1]}`;
  const threads = [1, 2, 3, 4, 5].map((number) => ({
    metadata: {
      graph_id: "agent",
      customer: `Zoë ${number} \\ "x"`,
      tier: number > 1 ? "gold" : "silver",
      plan: { seats: number },
    },
    ...(number === 2 && { ttl: { strategy: "delete", ttl: 60 } }),
  }));
  const created = [];
  for (const thread of threads) created.push(await call("POST", `${agent}/threads`, thread));
  const assistants = [
    {
      name: "Concierge",
      description: TRICKY,
      context: { model: "small", api_key: `${SECRET}-context.api_key`, limits: { max_tokens: 100 } },
      metadata: { team: "front desk" },
    },
    { name: "Batch", config: { tags: ["nightly"], recursion_limit: 50, configurable: { model: "large" } } },
  ];
  const ids: unknown[] = [];
  for (const assistant of assistants) {
    const made = await call("POST", `${agent}/assistants`, { graph_id: "agent", ...assistant });
    ids.push((made as { assistant_id?: unknown }).assistant_id);
  }
  const cron = { schedule: "0 3 * * *", input: { messages: [{ role: "user", content: TRICKY }] } };
  const crons = [
    { assistant_id: ids[0], timezone: "Europe/Berlin", metadata: { title: "Morning report" }, interrupt_before: ["*"] },
    {
      assistant_id: "agent",
      enabled: false,
      webhook: "https://hooks.example.com/runs",
      metadata: { title: "Nightly" },
      on_run_completed: "keep",
    },
  ];
  for (const one of crons) await call("POST", `${agent}/runs/crons`, { ...cron, ...one });
  const webhook = `https://hooks.example.com/runs?token=${SECRET}-webhook`;
  const leaky = await call("POST", `${agent}/runs/crons`, { ...cron, assistant_id: "agent", webhook });
  const { thread_id } = created[0] as { thread_id?: unknown };
  const onThread = { ...cron, assistant_id: "agent", metadata: { title: "Follow-up" }, multitask_strategy: "reject" };
  await call("POST", `${agent}/threads/${thread_id}/runs/crons`, onThread);
  const { cron_id } = leaky as { cron_id?: string };
  return { done: done.id, stopped: stopped.id, leaky: cron_id, deployments: seeded.deployments ?? [], lake };
}

export const tenant = defaultTenantId;
