/** What runs of the acceptance suite leave behind, and what a sweep removes. */
import { startEmulator } from "../../../emulator/src";
import { waitUntil } from "../support/wait-until";
import { AcceptanceRuns, API_KEY } from "./acceptance-runs";

const runs = new AcceptanceRuns();

test("an interrupted run deletes what it created, and a sweep removes only what an older run left", async () => {
  const { child, ended } = runs.start(
    ["--yes", "--only", "threads", "--image", "registry.example.com/agent:1"],
    runs.settings,
  );
  await waitUntil(
    () => runs.platform.names().length > 0,
    () => "the first deployment",
  );
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, output: expect.stringContaining("threads (dynamic): interrupted") });
  expect(runs.platform.names()).toEqual([]);

  const create = (name: string) =>
    fetch(`${runs.platform.url}/v2/deployments`, {
      method: "POST",
      headers: { "x-api-key": API_KEY },
      body: JSON.stringify({
        name,
        source: "external_docker",
        source_config: {},
        source_revision_config: {},
        secrets: [],
      }),
    });
  const time = new Date().toISOString().replace(/[-:T]/g, "").slice(2, 14);
  const others = [`acceptance-${time}-abcd-life`, "acceptance-of-a-user", "another-acceptance-200101000000-abcd-life"];
  for (const name of ["acceptance-200101000000-abcd-life", ...others]) await create(name);
  const refused = await runs.start(["--sweep"], runs.settings).ended;
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining("acceptance-200101000000-abcd-life") });
  expect(runs.platform.names()).toHaveLength(4);
  expect(await runs.start(["--sweep", "--yes"], runs.settings).ended).toMatchObject({ code: 0 });
  expect(runs.platform.names().sort()).toEqual([...others].sort());
});

test("a sweep removes what older runs left on the agent servers of others, and keeps everything else", async () => {
  const emulator = await startEmulator({ strict: true, speed: "instant" });
  try {
    const config = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
    await emulator.seed({ deployments: [{ name: "agent", ...config }] });
    const headers = { "x-api-key": "any-key", "x-tenant-id": "11111111-1111-4111-8111-111111111111" };
    const settings = {
      ...{ AGENTGRAPH_URL: emulator.urls.controlPlane, AGENTGRAPH_API_KEY: "any-key" },
      AGENTGRAPH_TENANT_ID: headers["x-tenant-id"],
    };
    const listed = await fetch(`${emulator.urls.controlPlane}/v2/deployments`, { headers });
    const { resources } = (await listed.json()) as { resources: { source_config: { custom_url: string } }[] };
    const url = resources[0]?.source_config.custom_url ?? "";
    const json = { "content-type": "application/json" };
    const post = async <T>(path: string, body: object) =>
      (await fetch(url + path, { method: "POST", headers: json, body: JSON.stringify(body) })).json() as Promise<T>;
    const names = async () => {
      const found = await post<{ name: string }[]>("/assistants/search", { limit: 100 });
      return found.map(({ name }) => name).sort();
    };
    const defaults = await names();
    for (const run of ["acceptance-200101000000-abcd-assistants", "a-run-of-a-user"]) {
      const metadata = { acceptance: "acceptance", run };
      const assistant = { graph_id: "echo", name: run, metadata };
      const { assistant_id } = await post<{ assistant_id: string }>("/assistants", assistant);
      await post("/runs/crons", { assistant_id, schedule: "0 5 1 1 *", enabled: false, metadata });
      // More than a page.
      for (let count = 0; count < 101; count++) await post("/threads", { metadata });
    }
    const swept = await runs.start(["--sweep", "--yes"], settings).ended;
    expect(swept.output.match(/^removed: (assistant|cron|thread)/gm)).toHaveLength(103);
    expect(swept.code).toBe(0);
    expect(await names()).toEqual([...defaults, "a-run-of-a-user"].sort());
    expect(await post("/runs/crons/search", { limit: 100 })).toHaveLength(1);
    expect(await post("/threads/search", { limit: 1000 })).toHaveLength(101);
  } finally {
    await emulator.stop();
  }
});
