/** The base image version, which a program may set, and the commits of a repository's revisions. */
import { dockerDeployment, REPO_URL, repository, withImage } from "../../../../support/deployments/inputs";
import { secret } from "../../../../support/hosts/plugin-secrets";
import { type Platform, startPlatform } from "../../../../support/platform";
import { expectClean, Stack, stateOf } from "../../../../support/stack";

let platform: Platform;
let stack: Stack;
beforeEach(async () => {
  platform = await startPlatform();
  stack = new Stack(platform);
});

const remote = () => platform.getDeployment(stateOf(stack).id);
const bodies = (method: string) => platform.emulator.requestLog.entries({ method }).map(({ body }) => body);

describe("the input imageVersion", () => {
  const remoteVersion = async () => ((await remote()) as unknown as { image_version: string | null }).image_version;

  // @covers 2A.Deployment.image_version
  it("Deployment: a declared imageVersion is sent by the create and changes in place, without a revision", async () => {
    await stack.up(dockerDeployment({ imageVersion: "0.4.1" }));
    expect(bodies("POST")).toMatchObject([{ image_version: "0.4.1" }]);
    expect(stateOf(stack).outputs).toMatchObject({ imageVersion: "0.4.1", currentImageVersion: "0.4.1" });
    expect(await stack.up(dockerDeployment({ imageVersion: "0.5.0" }))).toBe("update");
    expect(stack.messages.at(-1)).not.toContain("revision");
    expect(bodies("PATCH")).toEqual([{ image_version: "0.5.0" }]);
    expect(await remoteVersion()).toBe("0.5.0");
    expect((await remote()).revisions).toHaveLength(1);
    expect(stack.messages).toContain("info: in place: imageVersion");
  });

  it("Deployment: a declared imageVersion is sent although the server never returns one", async () => {
    await stack.up(dockerDeployment());
    expect(await stack.up(dockerDeployment({ imageVersion: "0.4.1" }))).toBe("update");
    expect(bodies("PATCH")).toEqual([{ image_version: "0.4.1" }]);
    // Simulates a server that does not return it.
    await platform.updateOutOfBand(stateOf(stack).id, { image_version: null });
    expect([await stack.refresh(), await stack.refresh()]).toEqual(["same", "same"]);
    expect(stateOf(stack).inputs).toMatchObject({ imageVersion: "0.4.1" });
  });

  it("Deployment: state of version 0.1.0, where imageVersion was an output, causes no difference", async () => {
    const resource = await stack.stateAfter(dockerDeployment());
    resource.outputs = { ...resource.outputs, imageVersion: "0.3" };
    await platform.updateOutOfBand(resource.id, { image_version: "0.9" });
    await expectClean(stack, dockerDeployment());
    expect(stateOf(stack).inputs).not.toHaveProperty("imageVersion");
    expect(stateOf(stack).outputs).not.toHaveProperty("imageVersion");
    expect(await stack.up(dockerDeployment(withImage("2")))).toBe("update");
    expect(bodies("PATCH")).toEqual([{ source_revision_config: { image_uri: "registry.example.com/agent:2" } }]);
  });
});

it("Deployment: its URL is secret where the program marks customUrl as such", async () => {
  const customUrl = "https://agent.example";
  const host = stack.host();
  const hidden = { __secretInputs: ["sourceConfig.customUrl"] };
  const inputs = await stack.check(dockerDeployment({ sourceConfig: { customUrl } }), host, hidden);
  expect(await host.create(inputs)).toMatchObject({ outs: { url: secret(customUrl) } });
});

describe("the outputs for commits", () => {
  const commits = () => {
    const { latestRepoCommitSha: latest, activeRepoCommitSha: active } = stateOf(stack).outputs;
    return { latest, active };
  };
  const shaOf = async (index: number) =>
    String((await remote()).revisions[index]?.source_revision_config.repo_commit_sha);

  // @covers 2A.SourceRevisionConfig.repo_commit_sha
  it("Deployment: a failed revision keeps the commit of the live one, without a request for it", async () => {
    await stack.up(repository());
    const live = await shaOf(0);
    expect(live).toMatch(/^[0-9a-f]{40}$/);
    expect(commits()).toEqual({ latest: live, active: live });
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await expect(stack.up(repository({}, { repoRef: "broken" }))).rejects.toThrow("failed with DEPLOY_FAILED after");
    expect(commits()).toEqual({ latest: await shaOf(0), active: live });
    expect(await shaOf(0)).not.toBe(live);
    await platform.emulator.requestLog.clear();
    await stack.refresh();
    expect(commits().active).toBe(live);
    // The latest revision is not live, so its status is read; that of the live one is not.
    expect(platform.requests()).toEqual(["GET /v2/deployments/{id}", "GET /v2/deployments/{id}/revisions/{id}"]);
  });

  it("Deployment: a refresh reads the commit of a live revision that state does not contain", async () => {
    await stack.up(repository());
    await platform.emulator.push({ repo_url: REPO_URL, ref: "main" });
    await stack.up(repository({ buildOnPush: true }));
    await platform.emulator.push({ repo_url: REPO_URL, ref: "main" });
    await platform.advance(60_000);
    const live = await shaOf(0);
    await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
    await platform.emulator.push({ repo_url: REPO_URL, ref: "main" });
    await platform.advance(60_000);
    await stack.refresh();
    expect(commits()).toEqual({ latest: await shaOf(0), active: live });
    expect(await shaOf(0)).not.toBe(live);
  });
});
