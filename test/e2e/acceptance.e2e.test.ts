/** The acceptance suite against the emulator, and its clean-up. The release layer runs it against servers that lack routes or differ. */
import { AcceptanceRuns, API_KEY, differing, failed } from "./support/acceptance";
import { waitUntil } from "./support/wait-until";

const runs = new AcceptanceRuns();

test("all stories pass on the emulator with dynamic resources, every fact that is checked holds, and no key is shown", async () => {
  const { code, output, report } = await runs.run("emulator", []);
  expect({ failed: failed(report), differing: differing(report), code }).toEqual({
    failed: [],
    differing: [],
    code: 0,
  });
  expect(report.stories.every(({ outcome }) => outcome === "passed")).toBe(true);
  expect(output).not.toMatch(/key-[0-9a-f]{8}-|secret-[0-9a-f]{24}/);
});

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
