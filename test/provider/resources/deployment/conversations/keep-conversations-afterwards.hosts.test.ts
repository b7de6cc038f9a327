/** `keepConversations` where the program, or the servers, change between the steps of a replacement. */
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { talk, textsOf } from "../../../../support/deployments/conversations";
import { dockerDeployment, LISTENER_ID } from "../../../../support/deployments/inputs";
import { declareKept as declare, kept, startKept as start } from "../../../../support/deployments/kept";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startProxy } from "../../../../support/servers/proxy";
import { Stack, startStack, stateOf } from "../../../../support/stack";

const RENAMED = { name: "renamed" };
const SAME_NAME = { sourceConfig: { listenerId: LISTENER_ID } };

/** Replaces a deployment that the server does not delete. Returns the ID of the new one. */
async function replaceOnly(platform: Platform, stack: Stack): Promise<string> {
  await platform.addFault({ method: "DELETE", path: "/v2/deployments/*", status: 403 });
  await failureOf(stack.up(declare(RENAMED)));
  return stateOf(stack).id;
}

/** Returns the folder of all backups of the deployment. */
const backups = async () => join(kept.folder, ...(await readdir(kept.folder)));

const idsOf = async (platform: Platform, id: string) => Object.keys(await textsOf(platform, id)).sort();

/** Serves the newest deployment at one URL. */
const serveNewest = (platform: Platform) =>
  startProxy(platform.url, () => undefined, {
    forward: async (url) => {
      const live = (await platform.deployments()).filter(({ status }) => status !== "AWAITING_DELETE");
      return `/agents/${live.at(-1)?.id}${url}`;
    },
  });

describe("a deployment whose conversations are kept", () => {
  it.each<[string, PropertyMap]>([
    ["a new name", RENAMED],
    ["the same name", SAME_NAME],
  ])("is replaced under %s by a change that also says what becomes of waiting threads", async (_, change) => {
    const { platform, stack, first } = await start(declare({ keepConversations: { at: kept.at } }));
    const id = await talk(platform, first, "hello", false);
    expect(await stack.up(declare(change))).toBe("replace");
    expect(await idsOf(platform, stateOf(stack).id)).toEqual([id]);
    expect(await platform.deployments()).toHaveLength(1);
  });

  it.each<[string, PropertyMap]>([
    ["a new name", RENAMED],
    ["the same name", {}],
  ])("passes them on under %s where both deployments have the same custom URL", async (_, change) => {
    const platform = await startPlatform();
    const customUrl = await serveNewest(platform);
    const stack = new Stack(platform, { config: { agentOrigins: JSON.stringify([customUrl]) } });
    const inputs = (config: PropertyMap) => ({ sourceConfig: { customUrl, ...config } });
    await stack.up(declare(inputs({})));
    const id = await talk(platform, stateOf(stack).id, "hello");
    expect(await stack.up(declare({ ...inputs({ listenerId: LISTENER_ID }), ...change }))).toBe("replace");
    expect(await idsOf(platform, stateOf(stack).id)).toEqual([id]);
  });

  it("does not get its name back while another one has its conversations", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    const second = await replaceOnly(platform, stack);
    const late = await talk(platform, second, "late");
    await expect(stack.up(declare())).rejects.toThrow(
      `is taken by deployment ${first}, whose conversations deployment ${second} has by now.`,
    );
    expect(stateOf(stack).id).toBe(second);
    await stack.up(declare(RENAMED));
    expect(await stack.up(declare())).toBe("replace");
    expect(await idsOf(platform, stateOf(stack).id)).toEqual([id, late].sort());
  });

  it("stays until its successor has accepted each cron, and has all conversations before", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    const cron = { assistant_id: "echo", schedule: "0 5 1 1 *", input: {} };
    await platform.call("POST", `/agents/${first}/runs/crons`, cron);
    await platform.addFault({ method: "POST", path: "/agents/*/runs/crons", status: 422 });
    await expect(stack.up(declare(RENAMED))).rejects.toThrow(/ yet: cron \S+ was not restored: POST .*: 422/);
    expect(await platform.deployments()).toHaveLength(2);
    expect(await idsOf(platform, stateOf(stack).id)).toEqual([id]);
    await stack.up(declare(RENAMED));
    const { body } = await platform.call("POST", `/agents/${stateOf(stack).id}/runs/crons/search`, {});
    expect(body).toMatchObject([{ schedule: cron.schedule, enabled: true }]);
    expect(await platform.deployments()).toHaveLength(1);
  });

  it("is deleted without another backup once the program that replaced it no longer declares one", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    const second = await replaceOnly(platform, stack);
    await platform.addFault({ path: `/agents/${first}/info`, status: 401, times: 100 });
    await expect(stack.up(declare(RENAMED))).rejects.toThrow(
      "To delete it without them, first remove keepConversations from the program",
    );
    const { keepConversations: _, ...without } = declare(RENAMED);
    expect(await stack.up(without)).toBe("update");
    expect(stack.messages.find((text) => text.startsWith("warn: "))).toContain(
      `The conversations of ${first} ("agent") were not backed up again before its deletion`,
    );
    expect((await platform.deployments()).map((one) => one.id)).toEqual([second]);
    expect(await idsOf(platform, second)).toEqual([id]);
  });

  it("brings them up to date in its own successor alone, whatever the backup says", async () => {
    const { platform, stack, first } = await start();
    const id = await talk(platform, first, "hello");
    const other = await startStack(platform, dockerDeployment({ name: "other" }), { name: "other" });
    const stranger = stateOf(other).id;
    const second = await replaceOnly(platform, stack);
    const record = join(await backups(), first, "deployment.json");
    await writeFile(record, (await readFile(record, "utf8")).replace(second, stranger));
    await talk(platform, first, "late");
    await stack.up(declare(RENAMED));
    expect(await textsOf(platform, stranger)).toEqual({});
    expect(await idsOf(platform, second)).toContain(id);
    expect((await platform.deployments()).map(({ name }) => name).sort()).toEqual(["other", "renamed"]);
  });

  it("is not created where the folder of a backup contains that of another deployment", async () => {
    const { platform, stack, first } = await start();
    await talk(platform, first, "hello");
    await stack.destroy();
    await cp(join(await backups(), first), join(await backups(), LISTENER_ID), { recursive: true });
    await expect(stack.up(declare())).rejects.toThrow(
      `${LISTENER_ID}/deployment.json does not say whose conversations the backup beside it has. Move it ` +
        "elsewhere, or choose another keepConversations.at.",
    );
    expect(await platform.deployments()).toEqual([]);
  });

  it("is deleted after its replacement, where users have deleted a thread meanwhile", async () => {
    const { platform, stack, first } = await start();
    const deleted = await talk(platform, first, "hello");
    const id = await talk(platform, first, "other");
    const second = await replaceOnly(platform, stack);
    await platform.call("DELETE", `/agents/${second}/threads/${deleted}`);
    const late = await talk(platform, first, "late");
    await stack.up(declare(RENAMED));
    expect(await platform.deployments()).toHaveLength(1);
    expect(await idsOf(platform, second)).toEqual([id, late].sort());
  });

  it("passes them on to a deployment without content as soon as others have deployed to it", async () => {
    const { platform, stack, first } = await start({ ...declare(), source: "internal_docker" });
    const id = await talk(platform, first, "hello");
    const { sourceRevisionConfig, ...empty } = { ...declare(RENAMED), source: "internal_docker" } as PropertyMap;
    const { id: second, outputs } = await stack.stateAfter(empty);
    expect(await stack.up(empty)).toBe("update");
    expect(stack.messages.at(-1)).toBe(
      `info: changes nothing on the server; restores the conversations of ${outputs.pendingConversations} ` +
        "once a revision is live",
    );
    const body = { source_revision_config: { image_uri: (sourceRevisionConfig as PropertyMap).imageUri } };
    await platform.call("PATCH", `/v2/deployments/${second}`, body);
    await platform.advance(60_000);
    expect(await stack.up(empty)).toBe("update");
    expect(await idsOf(platform, second)).toEqual([id]);
    expect(await stack.up(empty)).toBe("same");
  });
});
