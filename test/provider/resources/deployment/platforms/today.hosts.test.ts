/** A Deployment on the platform of today, as published clients and pages report it. */
import type { Fault } from "../../../../../emulator/src";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { expectClean, stateOf } from "../../../../support/stack";

const today = { platform: "today" } as const;
const DEV = { deploymentType: "dev" };
const options = { server: today, stack: { config: { platform: "langsmith" } } };
const declare = (source: string, sourceConfig: PropertyMap, change: PropertyMap = {}): PropertyMap => ({
  ...{ name: "agent", source, sourceConfig, secrets: { KEY: "a value" } },
  ...change,
});
const revisionConfig = { agentgraphConfigPath: "agentgraph.json" };
const repository = (config: PropertyMap = {}, revision: PropertyMap = {}) =>
  declare(
    "githost",
    { repoUrl: "https://git.example/team/agent", deploymentType: "dev", buildOnPush: false, ...config },
    { sourceRevisionConfig: { ...revisionConfig, ...revision } },
  );

const EMPTY_LIST = { method: "GET", path: "/v2/deployments", status: 200, body: { resources: [], offset: 0 } };

// @covers 2A.SourceConfig.deployment_type:sources, 2A.SourceConfig.deployment_type:free
// @covers 2A.SourceConfig.custom_url:image
// @covers 2A.SourceRevisionConfig.repo_ref:commit, 2A.Deployment.url, 2A.Deployment.tracer_session_id, 4A.upload:range
it.each<[string, () => PropertyMap]>([
  ["a repository", () => repository({}, { repoRef: "main" })],
  ["a repository in a free slot", () => repository({ deploymentType: "dev_zero" })],
  ["an image of another registry", () => dockerDeployment({ secrets: { KEY: "a value" } })],
  ["an image of the platform", () => declare("internal_docker", { deploymentType: "prod" }, withImage("1"))],
  ["no image yet", () => declare("internal_docker", DEV)],
  ["a folder", () => declare("internal_source", DEV, internalSource({ sourcePath: createAgentFolder() }))],
  ["a template", () => declare("internal_template", { deploymentType: "dev", templateId: "chat" })],
  ["a type that is new", () => declare("internal_docker", { deploymentType: "serverless" }, withImage("1"))],
])("Deployment: %s is created, stays as it is, and is deleted at once", async (_what, inputs) => {
  const declared = inputs();
  const { platform, stack, id } = await createDeployment(declared, options);
  const { outputs } = stateOf(stack);
  const isEmpty = declared.source === "internal_docker" && declared.sourceRevisionConfig === undefined;
  expect(outputs.url).toBe(isEmpty ? undefined : `${platform.url}/agents/${id}`);
  expect(outputs.tracingProjectId).toEqual(expect.any(String));
  await stack.refresh();
  expect(await stack.up(declared)).toBe("same");
  await stack.destroy();
  expect(stack.messages.at(-1)).toContain("is being deleted: the server has accepted it");
});

// @covers 2A.Deployment.secrets:hidden
it("Deployment: secrets that the server hides until the first revision are no difference", async () => {
  const declared = declare("internal_docker", DEV);
  const { platform, stack, id } = await createDeployment(declared, { server: today });
  expect(await stack.refresh()).toBe("same");
  await stack.up({ ...declared, ...withImage("1"), secrets: { KEY: "another value" } });
  expect((await platform.getDeployment(id)).secrets).toContainEqual({ name: "KEY", value: "another value" });
});

// @covers 2A.Deployment.display_name
it("Deployment: a display name is set after the create and changed in place, without a revision", async () => {
  const declared = dockerDeployment({ displayName: "Support" });
  const { platform, stack, id } = await createDeployment(declared, { server: today });
  const shown = async () => (await platform.call("GET", `/v2/deployments/${id}`)).body as object;
  expect(await shown()).toMatchObject({ display_name: "Support" });
  await stack.up(dockerDeployment({ displayName: "Support agent" }));
  expect(await shown()).toMatchObject({ display_name: "Support agent" });
  expect((await platform.getDeployment(id)).revisions).toHaveLength(1);
});

describe("a Deployment whose repository moves", () => {
  const declared = repository();
  const moved = repository({ repoUrl: "https://git.example/team/moved" });

  // @covers 2A.SourceConfig.repo_url:moved, 4A.redeploy:image
  it("is changed in place where the platform is known, and built from it where a trigger changes, too", async () => {
    const { platform, stack, id } = await createDeployment(declared, options);
    expect(await stack.diff(moved)).toMatchObject({ replaces: [] });
    expect(await stack.up(moved)).toBe("update");
    expect(stack.messages.join("\n")).toContain("takes effect with the next revision: repoUrl");
    expect(await platform.getDeployment(id)).toMatchObject({
      source_config: { repo_url: "https://git.example/team/moved" },
      revisions: [{}],
    });
    expect(await stack.up(moved)).toBe("same");
    const again = {
      ...repository({ repoUrl: "https://git.example/team/again" }),
      redeployTriggers: { build: "again" },
    };
    expect([await stack.up(again), platform.requests({ method: "POST" })]).toEqual(["update", []]);
    expect((await platform.getDeployment(id)).revisions).toHaveLength(2);
  });

  it("is replaced where nothing is known, and the preview names the setting that avoids it", async () => {
    const { stack } = await createDeployment(declared, { server: today });
    expect(await stack.diff(moved)).toMatchObject({ replaces: ["sourceConfig"] });
    expect(stack.messages.at(-1)).toMatch(/its database and threads are lost.*see the setting `platform`/);
  });

  it("stays as it is where the server refuses, and the error says how to replace it", async () => {
    const { platform, stack, id } = await createDeployment(declared, { stack: options.stack });
    await expect(stack.up(moved)).rejects.toThrow(/did not move the deployment.*pulumi up --replace/s);
    await platform.addFault({ method: "PATCH", status: 404, body: { detail: "Repository not found" }, times: 9 });
    await expect(stack.up(moved)).rejects.toThrow(/404: Repository not found\n.*did not move the deployment/s);
    expect(stateOf(stack).outputs).not.toHaveProperty("__routes");
    expect((await platform.getDeployment(id)).source_config.repo_url).toBe("https://git.example/team/agent");
    await platform.emulator.faults.clear();
    await platform.addFault({ method: "PATCH", status: 404, body: { detail: "/images not found" }, times: 9 });
    expect((await failureOf(stack.up(moved))).message).not.toContain("did not move the deployment");
  });
});

// @covers 4A.DELETE:grace
it.each<[string, PropertyMap]>([
  ["loses its conversations", {}],
  ["keeps its conversations", { keepConversations: { at: "file:///nothing-is-written" } }],
])("a replacement that %s and would reuse a reserved name is refused before anything is deleted", async (_, kept) => {
  const declared = (deploymentType: string) =>
    declare("internal_docker", { deploymentType }, { ...withImage("1"), ...kept });
  const { platform, stack, id } = await createDeployment(declared("prod"), options);
  await expect(stack.up(declared("dev"))).rejects.toThrow('keeps the name "agent" for up to a week');
  expect(stack.messages.join("\n")).toContain("fails, because the platform keeps the name for a week");
  expect(stack.messages.join("\n")).not.toContain("its conversations move");
  expect(platform.requests({ method: "DELETE" })).toEqual([]);
  expect((await platform.getDeployment(id)).status).toBe("READY");
});

// @covers 4A.DELETE:force
it("forceDelete ends a deletion, of which the platform would keep the database for a week", async () => {
  const { platform, stack, id } = await createDeployment(dockerDeployment({ forceDelete: true }), options);
  await stack.destroy();
  expect(stack.messages.at(-1)).toContain(`Deployment ${id} ("agent") is deleted with its database`);
  expect(await platform.deployments()).toEqual([]);
});

// @covers 4A.DELETE:grace
describe("a destroy on a platform that hides deleted deployments", () => {
  const destroyHidden = async (forceDelete: boolean, platformOptions: object = options, faults: Fault[] = []) => {
    const { platform, stack, id } = await createDeployment(dockerDeployment({ forceDelete }), platformOptions);
    for (const fault of faults) await platform.addFault(fault);
    await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 404, skip: 1, times: 99 });
    await platform.addFault({ ...EMPTY_LIST, times: 99 });
    await stack.destroy();
    await platform.emulator.faults.clear();
    return { platform, id, message: stack.messages.at(-1) };
  };

  it("says what the platform keeps, and until when", async () => {
    const { platform, id, message } = await destroyHidden(false);
    expect((await platform.getDeployment(id)).status).toBe("AWAITING_DELETE");
    expect(message).toMatch(
      /is deleted, and no longer shown. .* keeps the database and the name "agent" for a week \(until .{10} at/,
    );
  });

  it("that an earlier run began says so, and forces nothing that it does not see", async () => {
    const { platform, stack, id } = await createDeployment(dockerDeployment({ forceDelete: true }), options);
    await platform.call("DELETE", `/v2/deployments/${id}`);
    await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 404, times: 99 });
    await platform.addFault({ ...EMPTY_LIST, times: 99 });
    await stack.destroy();
    expect(stack.messages.at(-1)).toMatch(/keeps the database and the name .* forceDelete ended nothing/);
    expect(platform.requests({ method: "DELETE" })).toHaveLength(1);
  });

  it("ends the deletion with forceDelete", async () => {
    const { platform, id, message } = await destroyHidden(true);
    expect(message).toContain(`Deployment ${id} ("agent") is deleted with its database`);
    expect(await platform.deployments()).toEqual([]);
  });

  it("says so too where forceDelete finds nothing, and other servers get no second request", async () => {
    const rejected = { method: "DELETE", path: "/v2/deployments/*", status: 404, skip: 1 };
    expect((await destroyHidden(true, options, [rejected])).message).toContain("keeps the database and the name");
    const { platform, message } = await destroyHidden(true, {});
    expect(platform.requests({ method: "DELETE" })).toHaveLength(1);
    expect(message).not.toContain("forceDelete");
  });
});

it.each([
  ["another stack manages", "acme/urn:pulumi:prod::other"],
  ["another stack manages, with a name that looks masked", "acme/urn:pulumi:prod::a...b"],
  ["someone else has marked", "terraform"],
  ["someone else has marked, with an object", '{"owner":"team-b"}'],
  ["someone else has marked, with a word for hidden", "the-hidden-team"],
  ["someone else has marked, on a server that shows other secrets", "te...am", [{ name: "A", value: "visible" }]],
])("forceDelete ends no deletion of a deployment that %s by now", async (_, value, others: object[] = []) => {
  const { platform, stack, id } = await createDeployment(dockerDeployment({ forceDelete: true }), options);
  await platform.updateOutOfBand(id, { secrets: [{ name: "PULUMI_RESOURCE", value }, ...others] });
  await platform.call("DELETE", `/v2/deployments/${id}`);
  await platform.emulator.requestLog.clear();
  await stack.destroy();
  expect(platform.requests({ method: "DELETE" })).toEqual([]);
  expect((await platform.getDeployment(id)).status).toBe("AWAITING_DELETE");
});

it("forceDelete says that it was not possible where the server has no such option", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ forceDelete: true }));
  await stack.destroy();
  expect(stack.messages.at(-1)).toContain("is being deleted, but forceDelete was not possible");
  await platform.advance(60_000);
  expect(await platform.deployments()).toEqual([]);
});

describe("a create that the platform rejects", () => {
  it("without buildOnPush is repeated with its default", async () => {
    const { stack } = await createDeployment(repository({ buildOnPush: undefined }), options);
    expect(await stack.refresh()).toBe("same");
  });

  it("because its name is reserved says so", async () => {
    const { platform, stack } = await createDeployment(dockerDeployment(), options);
    await stack.destroy();
    await platform.addFault(EMPTY_LIST);
    const create = stack.fork().up(dockerDeployment());
    await expect(create).rejects.toThrow("the platform keeps the name until then");
  });
});

it("A rollback of a repository sends no commit in place of its branch", async () => {
  const first = { ...repository({}, { repoRef: "main" }), rollbackOnFailure: true };
  const { platform, stack } = await createDeployment(first, options);
  await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
  await expect(stack.up({ ...first, secrets: { KEY: "changed" } })).rejects.toThrow("Rolled back");
  const sent = platform.emulator.requestLog.entries({ method: "PATCH" }).map(({ body }) => JSON.stringify(body));
  expect([sent.length, sent.join()]).toEqual([2, expect.not.stringContaining("repo_ref")]);
});

// @covers 2A.ResourceSpec.min_scale:dedicated
it("The second replica that the platform gives a dedicated deployment makes no difference", async () => {
  const scaled = (minScale: number, maxScale: number) =>
    declare("internal_docker", { deploymentType: "prod", resourceSpec: { minScale, maxScale } }, withImage("1"));
  const { stack } = await createDeployment(scaled(1, 1), options);
  await expectClean(stack, scaled(1, 1));
  expect(await stack.up(scaled(3, 4))).toBe("update");
  await expectClean(stack, scaled(3, 4));
});
