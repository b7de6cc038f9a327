/** Server mismatches: settings that name another server or workspace than the one that state names. */
import { WrongServerError } from "../../../provider/definition/ownership";
import { OutgoingText } from "../../../provider/engine/host/log";
import { RunState } from "../../../provider/engine/run/run-state";
import { ProviderSession } from "../../../provider/engine/session";
import { TestClock } from "../../support/time/clock";
import { definitionOf } from "../plan/plans";

const report = { show: () => {}, flush: async () => {} };
const stored = { server: { origin: "https://one.example", tenant: "t-1" } };

const session = (config: Record<string, string>, kind = "Deployment") =>
  new ProviderSession((key) => config[key.replace("agentgraph:", "")], definitionOf(kind), {
    clock: new TestClock(),
    report: new OutgoingText(report),
    run: new RunState(),
  });
const assert = (config: Record<string, string>, hidden = {}) =>
  session(config).assertSameServer({ properties: {}, facts: { ...stored, ...hidden } });

it.each([
  ["another address", { controlPlaneUrl: "https://two.example" }, ["https://one.example", "https://two.example"]],
  ["another port", { controlPlaneUrl: "https://one.example:444" }, ["https://one.example", ":444"]],
  ["another workspace", { tenantId: "t-2" }, ["t-1", "t-2"]],
])("%s is rejected with both values", (_what, config, words) => {
  expect(() => assert(config)).toThrow(WrongServerError);
  for (const word of words) expect(() => assert(config)).toThrow(word);
});

it.each([
  ["the same", { controlPlaneUrl: "https://one.example/api", tenantId: "t-1" }, {}],
  ["the same workspace in capitals", { tenantId: "T-1" }, {}],
  ["the same workspace where state has capitals", { tenantId: "t-1" }, { server: { ...stored.server, tenant: "T-1" } }],
  ["none at all, as in a preview without a key", {}, {}],
  ["a workspace where state knows none", { tenantId: "t-2" }, { server: { origin: "https://one.example" } }],
  ["others for state that knows nothing", { controlPlaneUrl: "https://two.example" }, { server: undefined }],
  ["others when the server really moved", { controlPlaneUrl: "https://two.example", allowServerChange: "true" }, {}],
])("Settings that are %s are accepted", (_what, config, hidden) => {
  expect(() => assert(config, hidden)).not.toThrow();
});

it("A kind of the tracing API is compared with that API's URL only", () => {
  const tracing = (config: Record<string, string>) => session(config, "BulkExport");
  const moved = tracing({ tracingApiUrl: "https://two.example", controlPlaneUrl: "https://one.example" });
  expect(() => moved.assertSameServer({ properties: {}, facts: stored })).toThrow(
    /at https:\/\/one.example.*tracingApiUrl is https:\/\/two.example/,
  );
  const same = tracing({ tracingApiUrl: "https://one.example/api", controlPlaneUrl: "https://two.example" });
  expect(() => same.assertSameServer({ properties: {}, facts: stored })).not.toThrow();
  expect(same.server({})).toEqual({ origin: "https://one.example" });
});

it("State records the workspace that the server returns, else the one in the settings", () => {
  const { server } = { server: (config: Record<string, string>, state = {}) => session(config).server(state) };
  expect(server({ controlPlaneUrl: "https://one.example/api" }, { tenantId: "t-9" })).toEqual({
    origin: "https://one.example",
    tenant: "t-9",
  });
  expect(server({ controlPlaneUrl: "https://one.example", tenantId: "t-1" })).toMatchObject({ tenant: "t-1" });
  expect(server({ controlPlaneUrl: "https://one.example" })).toEqual({ origin: "https://one.example" });
});

it("State of a newer version is not changed, and the error says what to install", () => {
  expect(() => assert({}, { schema: 2 })).toThrow(/written by a newer version.*Install that version/);
  expect(() => assert({}, { schema: 1 })).not.toThrow();
});

it("A resource with a server in its inputs is compared with no setting, and requires none", () => {
  const properties = { deploymentUrl: "https://agents.example/base" };
  const elsewhere = session({ controlPlaneUrl: "https://two.example", tenantId: "t-2" }, "Thread");
  expect(() => elsewhere.assertSameServer({ properties, facts: stored })).not.toThrow();
  expect(() => elsewhere.assertSameServer({ properties, facts: { ...stored, schema: 2 } })).toThrow(/newer version/);
  expect(elsewhere.server({ ...properties, tenantId: "t-2" })).toBeUndefined();
  const { missing } = session({}, "Thread").warnings({});
  expect(missing.map(({ name }) => name)).toContain("url");
  expect(session({}, "Thread").warnings(properties)).toEqual({ missing: [], texts: [], borrowed: undefined });
});
