/** What belongs together is adopted as one AgentService in each language, and is the same after the import. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { messagesOf, steps } from "../support/cli/events";
import { installPythonSdk, pathWith, useOldConfigSection } from "../support/programs/languages";
import { Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";
import { agentgraph } from "./command";

const world = new World({ strict: true, apiKey: API_KEY });
const SECRET = "a-value-that-nobody-may-see";
const TOOLS = ["python", "pulumi-language-python", "pulumi-language-yaml"] as const;

/** Sends a request as someone who does not use Pulumi. Returns the ID of what it created. */
async function post(path: string, body: object): Promise<string> {
  const { id, assistant_id, thread_id, cron_id } = await world.call<Record<string, string>>("POST", path, body);
  return cron_id ?? thread_id ?? assistant_id ?? id ?? "";
}

/** Creates an agent with all that belongs to it, and one whose threads and exports do not fit into a service. */
async function createAgents() {
  const { url, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const image = {
    source: "external_docker" as const,
    source_revision_config: { image_uri: "registry.example.com/agent:1" },
  };
  const destination = (display_name: string) => ({
    ...{ display_name, config: { bucket_name: "exports", prefix: display_name, endpoint_url: url } },
    credentials: { access_key_id: accessKeyId, secret_access_key: secretAccessKey },
  });
  const seeded = await world.emulator.seed({
    deployments: [
      { name: "support", ...image, secrets: [{ name: "MODEL_API_KEY", value: SECRET }] },
      { name: "research", ...image },
      { name: "alone", ...image },
    ],
    destinations: [destination("lake"), destination("shared")],
  });
  const [support, research] = seeded.deployments ?? [];
  const [lake, shared] = seeded.destinations ?? [];
  const ask = { schedule: "0 3 * * *", input: { messages: [{ role: "user", content: "Sum up." }] } };
  const concierge = await post(`/agents/${support}/assistants`, {
    ...{ graph_id: "agent", name: "concierge", context: { model: "large-2" } },
  });
  await post(`/agents/${support}/assistants`, { graph_id: "agent", name: "porter", config: { tags: ["night"] } });
  await post(`/agents/${support}/runs/crons`, { ...ask, assistant_id: concierge, metadata: { title: "summary" } });
  await post(`/agents/${support}/runs/crons`, { ...ask, assistant_id: "agent", metadata: { title: "check" } });
  await post(`/agents/${support}/threads`, { metadata: { team: "support" } });
  const analyst = await post(`/agents/${research}/assistants`, { graph_id: "agent", name: "analyst" });
  const threads = [1, 2].map((number) => post(`/agents/${research}/threads`, { metadata: { number } }));
  const [thread] = await Promise.all(threads);
  const onThread = { ...ask, assistant_id: analyst, metadata: { title: "follow-up" } };
  await post(`/agents/${research}/threads/${thread}/runs/crons`, onThread);
  const projects = await world.call<{ id: string; name: string }[]>("GET", "/api/v1/sessions?limit=100");
  const exported = (name: string, bulk_export_destination_id = "", interval_hours = 24) =>
    post("/api/v1/bulk-exports", {
      ...{ bulk_export_destination_id, interval_hours, start_time: "2100-01-01T00:00:00Z" },
      session_id: projects.find((project) => project.name === name)?.id,
    });
  await exported("support", lake);
  await exported("research", shared);
  await exported("alone", shared, 168);
}

describeWithTools("Objects that belong together", TOOLS, (tools) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    env = { ...pathWith(...TOOLS.map((name) => tools[name])), PYTHONPATH: site };
    await createAgents();
  });

  test.each(["typescript", "python", "yaml"])("are one service in %s, which an import continues", async (language) => {
    const project = `service-${language}`;
    const program = await Program.create(await world.createFolder(project), project);
    const stack = await world.stack({ project, program, env: { ...world.tracing, ...env } });
    if (language !== "typescript") await rm(join(program.folder, "Pulumi.yaml"));
    const selected = ["--deployment", "support,research"];
    const { code, stdout, stderr } = await agentgraph({
      args: ["adopt", "--components", ...selected, "--language", language, "--out", program.folder, "--json"],
      cwd: await world.createFolder(`elsewhere-${language}`),
      env: { ...world.tracing, AGENTGRAPH_CONTROL_PLANE_URL: world.url, AGENTGRAPH_API_KEY: API_KEY },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { resources, secrets, files, next } = JSON.parse(stdout);
    const named = (service?: string) =>
      resources
        .flatMap((one: { name: string; service?: string }) => (one.service === service ? [one.name] : []))
        .sort();
    expect(named("support")).toEqual([
      ...["support", "support-check-cron", "support-concierge", "support-destination", "support-export"],
      ...["support-porter", "support-summary-cron", "support-thread"],
    ]);
    expect(named("research")).toEqual(["research", "research-analyst", "research-export"]);
    expect(named()).toHaveLength(6);
    const written = await Promise.all(files.map((file: string) => readFile(join(program.folder, file), "utf8")));
    expect(written.join("\n")).not.toContain(SECRET);

    if (language === "yaml") await useOldConfigSection(program.folder);
    const { accessKeyId, secretAccessKey } = world.emulator.bucket;
    const values: Record<string, string> = { accessKeyId, secretAccessKey, MODEL_API_KEY: SECRET };
    const pairs = secrets.flatMap(({ key, path }: Record<string, string>) => {
      return ["--secret", `${key}=${values[path?.split(".").at(-1) ?? ""]}`];
    });
    await stack.runOrThrow("config", "set-all", ...pairs);
    const [importing = "", previewing = ""] = next.slice(-2).map((command: string) => command.replace(/^pulumi /, ""));
    expect(await stack.runOrThrow(...importing.split(" "))).toContain("= 19 imported");
    const preview = await stack.preview(...previewing.split(" ").slice(1));
    if (preview.code !== 0) throw new Error(preview.output);
    // The API never returns credentials.
    const changes = steps(preview).filter((step) => !step.startsWith("refresh "));
    expect(changes.sort()).toEqual(["update shared", "update support-destination"]);
    for (const name of ["shared", "support-destination"])
      expect(messagesOf(preview, name)).toEqual(["in place: credentials"]);
    await world.requests();
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(world.writes()).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^PATCH .*destinations/)));
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.readBackend()).not.toContain(SECRET);
  });
});
