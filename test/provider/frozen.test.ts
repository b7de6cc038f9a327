/** What lives in users' state: none of it is ever renamed. A failure here is a break of every stack that exists. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as built from "../../dist/provider/index";
import pkg from "../../package.json";
import { MARKER } from "../../provider/api/control-plane/schemas";
import type { Context } from "../../provider/definition/context";
import { dynamicToken } from "../../provider/definition/type-token";
import { definitions } from "../../provider/definitions";
import { ownIdKey } from "../../provider/objects/ownership";
import { SCHEMA } from "../../provider/plan/facts";
import { ASSISTANT } from "../../provider/resources/assistant/fields";
import { assistantObject } from "../../provider/resources/assistant/object";
import { CRON } from "../../provider/resources/cron/fields";
import { OWNERSHIP_KEY, REQUEST_KEY, RESOURCE_KEY, THREAD } from "../../provider/resources/thread/fields";
import { deriveThreadId } from "../../provider/resources/thread/object";
import { UNKNOWN_SECRET } from "../../provider/schema/mapping";
import type { PropertyMap } from "../../provider/schema/schema";
import { stubOf } from "../../sdk/nodejs/stub";
import { createThread } from "../support/agents/threads";
import { createDeployment } from "../support/deployments/create";
import { dockerDeployment, withImage } from "../support/deployments/inputs";
import { startPlatform } from "../support/platform";
import { startStack } from "../support/stack";

const ROOT = join(__dirname, "../..");

/** The type token of a kind, and the bytes of its stub, in every state that exists. */
const FROZEN = (kind: string) => ({
  token: `pulumi-nodejs:dynamic/agentgraph:${kind}`,
  stub: `exports.handler=()=>require("module").createRequire(process.cwd()+"/_")("pulumi-agentgraph/provider").${kind}`,
});

interface Recorded {
  type: string;
  inputs?: { __provider?: string };
}

/** The resources in the recorded states, by kind: a new kind adds a recording, which never changes afterwards. */
const recorded = new Map(
  globSync("test/old-states/*/state.json", { cwd: ROOT })
    .flatMap((file) => JSON.parse(readFileSync(join(ROOT, file), "utf8")).deployment.resources as Recorded[])
    .filter(({ inputs }) => inputs?.__provider !== undefined)
    .map(({ type, inputs }): [string, Recorded] => [type.split(":").at(-1) ?? "", { type, inputs }]),
);
const KINDS = definitions.map(({ kind }) => kind).sort();

it("Every kind has a recorded state, and every recorded kind still exists", () => {
  expect([...recorded.keys()].sort()).toEqual(KINDS);
});

it.each([...recorded])("the token and the stub of %s keep their recorded bytes, which are few", (kind, state) => {
  const { token, stub } = FROZEN(kind);
  expect([state.type, state.inputs?.__provider]).toEqual([token, stub]);
  expect([dynamicToken(kind), stubOf(kind)]).toEqual([token, stub]);
  expect(Buffer.byteLength(stub)).toBeLessThanOrEqual(128);
});

it("The module that stubs load exports one handler per kind, and nothing else", () => {
  expect(Object.keys(built).sort()).toEqual(KINDS);
  for (const handler of Object.values(built)) {
    for (const name of ["configure", "check", "diff", "create", "read", "update", "delete"]) {
      expect(handler).toHaveProperty(name, expect.any(Function));
    }
  }
});

it("The package exports exactly itself, its native form, its provider and its package.json", () => {
  expect(Object.keys(pkg.exports)).toEqual([".", "./native", "./provider", "./package.json"]);
  expect(pkg.exports["./provider"].default).toBe("./dist/provider/index.js");
});

it("State contains exactly these internal properties, in this form", async () => {
  const stack = await startStack(await startPlatform(), dockerDeployment(), { timeouts: { create: "5m" } });
  const { inputs = {}, outputs = {} } = stack.state ?? {};
  const hidden = (properties: object) => Object.keys(properties).filter((key) => key.startsWith("__"));
  expect(hidden(inputs).sort()).toEqual(["__organization", "__provider", "__timeouts", "__urn"]);
  expect(hidden(outputs).sort()).toEqual(
    ["__notReturned", "__organization", "__owner", "__provider", "__schema", "__server", "__timeouts"].sort(),
  );
  expect([outputs.__schema, SCHEMA]).toEqual([1, 1]);
  expect(outputs.__owner).toBe(`acme/${stack.urn}`);
  expect(Object.keys(outputs.__server as object)).toEqual(["origin"]);
});

it("State keeps later customTimeouts in an internal property of their own, so that no input differs", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment(), { stack: { timeouts: { create: "5m" } } });
  await stack.up(dockerDeployment(withImage("2")), stack.host(), { __timeouts: { update: "9s", delete: "1h" } });
  expect(stack.state?.inputs.__timeouts).toEqual({ create: "5m" });
  expect(stack.state?.outputs.__timeouts).toEqual({ create: "5m" });
  expect(stack.state?.outputs.__customTimeouts).toEqual({ update: "9s", delete: "1h" });
  await platform.emulator.faults.add({ revision: { statuses: ["DEPLOYING"] } });
  const failed = stack.up(dockerDeployment(withImage("3")), stack.host(), {
    __timeouts: { update: "9s", delete: "1h" },
  });
  const begin = platform.clock.now();
  await expect(failed).rejects.toThrow("to keep waiting");
  expect(platform.clock.now() - begin).toBeLessThan(20_000);
  await stack
    .up(dockerDeployment(withImage("3")), stack.host(), { __timeouts: { create: "5m" } })
    .catch(() => undefined);
  expect(stack.state?.outputs).not.toHaveProperty("__customTimeouts");
});

it("State records the routes that a server lacks in this internal property", async () => {
  const { agents, stack } = await createThread({}, { without: ["threads-patch"] });
  await expect(stack.up(agents.threadInputs({ metadata: { team: "sales" } }))).rejects.toThrow("cannot change threads");
  expect(stack.state?.outputs.__routes).toEqual(["threads-patch"]);
});

it("The ownership marker is stored in this environment variable", () => {
  expect(MARKER).toBe("PULUMI_RESOURCE");
});

it("An import stores this placeholder for unknown secrets", () => {
  expect(UNKNOWN_SECRET).toBe("not known before the first `pulumi up`");
});

it("Threads keep the key of their ownership marker, and their generated IDs", () => {
  const keys = ["pulumi_thread", "pulumi_thread_id", "pulumi_thread_request", "pulumi_thread_resource"];
  expect([OWNERSHIP_KEY, ownIdKey(THREAD), REQUEST_KEY, RESOURCE_KEY]).toEqual(keys);
  const declared = { deploymentId: "d", supersteps: [{ updates: [{ values: { b: 1, a: null }, asNode: "n" }] }] };
  expect(deriveThreadId(declared, { marker: "acme/urn" })).toBe("5ac81cac-8869-5480-ab75-19ce3b663967");
  expect(deriveThreadId({ ...declared, metadata: { a: 1 } }, { marker: "acme/urn" })).toBe(
    deriveThreadId(declared, { marker: "acme/urn" }),
  );
});

it("Assistants and crons keep the keys of their ownership markers, and assistants their generated IDs", () => {
  for (const [keys, name] of [
    [ASSISTANT.keys, "pulumi_assistant"],
    [CRON.keys, "pulumi_cron"],
  ] as const)
    expect(keys).toEqual({ object: name, resource: `${name}_resource`, stack: `${name}_stack` });
  const declared = { deploymentId: "d", graphId: "echo", name: "support" };
  const deriveAssistantId = (inputs: typeof declared & { context?: PropertyMap }) =>
    assistantObject.deriveId(inputs, { marker: "acme/urn" } as Context);
  expect(deriveAssistantId(declared)).toBe("c27e2469-5d07-50ec-b85a-0fe8836253f3");
  expect(deriveAssistantId({ ...declared, graphId: "other", context: { a: 1 } })).toBe(deriveAssistantId(declared));
});
