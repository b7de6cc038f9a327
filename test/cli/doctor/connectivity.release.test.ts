import { defaultTenantId, type EmulatorOptions, startEmulator } from "../../../emulator/src";
import { newFolder } from "../../../emulator/test/support/folder";
import { html, json, TestServer } from "../../support/servers/server";
import { agentgraph } from "../support/command";
import { readReport } from "../support/doctor-report";

/** Returns the checks of each server. */
async function runDoctor(url: string, more: Record<string, string> = {}) {
  const env = {
    ...{ AGENTGRAPH_CONTROL_PLANE_URL: url, AGENTGRAPH_TRACING_API_URL: url, AGENTGRAPH_TENANT_ID: defaultTenantId },
    ...{ AGENTGRAPH_API_KEY: "a-key", ...more },
  };
  const { stdout } = await agentgraph({ args: ["doctor", "--json"], cwd: newFolder(), env });
  const { groups } = readReport(stdout);
  const of = (title: string) => groups.find((group) => group.title.startsWith(title))?.checks ?? [];
  return { control: of("Control"), tracing: of("Tracing") };
}

async function checkEmulator(options: EmulatorOptions, more: Record<string, string> = {}) {
  const emulator = await startEmulator(options);
  return runDoctor(emulator.urls.controlPlane, more).finally(() => emulator.stop());
}

test("a server of the interface alone has no problems, although it lacks routes and the workspace", async () => {
  const { control, tracing } = await checkEmulator(
    { interfaceOnly: true },
    { AGENTGRAPH_TENANT_ID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa" },
  );
  expect(tracing[0]).toMatchObject({ id: "connection", status: "ok" });
  expect([...control, ...tracing].filter(({ status }) => status === "fix")).toEqual([]);
  const lacks = [...control, ...tracing].flatMap(({ message }) => /^has no route to (.*?) \(/.exec(message)?.[1] ?? []);
  expect(lacks).toEqual(expect.arrayContaining(["list revisions", "read logs", "list repositories", "list exports"]));
});

test("the older route of build logs counts as supported", async () => {
  const without = ["logs"];
  expect((await checkEmulator({ without })).control.filter(({ id }) => id === "missing-route")).toEqual([]);
});

test("checks of a server are skipped if its settings are missing", async () => {
  const { control, tracing } = await checkEmulator({}, { AGENTGRAPH_API_KEY: "" });
  for (const checks of [control, tracing]) {
    expect(checks).toEqual([{ id: "connection", status: "skipped", message: "not checked; missing settings: apiKey" }]);
  }
});

test("a server without TLS, and a host that does not resolve, are reported as such", async () => {
  const server = await TestServer.start([json(200, [])]);
  const { control } = await runDoctor(server.url.origin.replace("http:", "https:"));
  expect(control[0]?.message).toMatch(/^the server does not use TLS, but the URL is https/);
  expect(control[0]?.remedy).toMatch(/port/);
  const { control: unreachable } = await runDoctor("https://no-such-host.invalid");
  expect(unreachable[0]?.remedy).toMatch(/host name does not exist|could not be resolved/);
});

describe("the remedy for", () => {
  test.each([
    ["a rejected request", json(422, { detail: "x-tenant-id: not a UUID" }), /check the settings that it names/i],
    ["a page", html(200, "<html>hello</html>"), /Does the URL point to the API itself\?/],
    ["a redirection", json(307, {}, { location: "https://x.test" }), /redirects to https:\/\/x\.test\. Use that URL/],
  ])("%s does not suggest to try again later", async (_what, reply, remedy) => {
    const server = await TestServer.start([reply]);
    const { control } = await runDoctor(server.url.origin);
    expect(control[0]).toMatchObject({ status: "fix", remedy: expect.stringMatching(remedy) });
    expect(control[0]?.remedy).not.toMatch(/Try again later/);
  });

  test("an error of a proxy suggests to try again later", async () => {
    const server = await TestServer.start([html(502, "<h1>Bad gateway</h1>")]);
    const { control } = await runDoctor(server.url.origin);
    expect(control[0]).toMatchObject({ status: "fix", remedy: expect.stringMatching(/^Try again later/) });
  });
});
