/**
 * Deletions of deployments: those that the server has accepted and has not finished, and responses that only look like
 * an end.
 */
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, LISTENER_ID } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { Stack, startStack, stateOf } from "../../../support/stack";

/** A server that keeps deleted deployments for a week, with this status. */
async function startKeeping(status: string) {
  const platform = await startPlatform();
  const deleted = new Set<string>();
  const proxy = await startRewritingProxy(platform, (remote) => {
    if (deleted.has(remote.id)) remote.status = status;
  });
  // The emulator itself keeps it as it is.
  const keep = async (id: string) => {
    await platform.addFault({ method: "DELETE", path: `/v2/deployments/${id}`, status: 204 });
    deleted.add(id);
  };
  /** Lets the first wait last for most of a minute. */
  const skipPolls = () => platform.duringNextWait(() => platform.advance(50_000));
  return { platform, proxy, keep, skipPolls };
}

describe("a destroy of a Deployment", () => {
  // @covers 3.Deployment status:deleting, 4A.DELETE:grace, 10A.deleted
  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE", "DELETING"])(
    "that the server shows as %s ends after a minute and says what remains",
    async (status) => {
      const { platform, proxy, keep, skipPolls } = await startKeeping(status);
      const stack = new Stack(proxy);
      const { id } = await stack.stateAfter(dockerDeployment());
      await keep(id);
      const begin = platform.clock.now();
      skipPolls();
      await stack.destroy();
      expect(platform.clock.now() - begin).toBeLessThan(90_000);
      const end = new Date(platform.clock.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10);
      expect(stack.messages.at(-1)).toBe(
        `info: Deployment ${id} ("agent") is being deleted: the server has accepted it and shows ${status}. ` +
          `Until the server has finished, which may take a week (until ${end}), it keeps the database and the ` +
          `name "agent", and the agent may run for another hour.`,
      );
    },
  );

  it("asks at once whether the deployment is gone, and does not say that anything of it remains", async () => {
    const platform = await startPlatform();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    let object = "";
    const proxy = await startRewritingProxy(platform, () => undefined, {
      forward: (url) => {
        if (url === object) resolve();
        return url;
      },
      respond: async (url, text) => {
        if (text !== "") return text;
        object = url;
        await asked;
        return text;
      },
    });
    const stack = await startStack(proxy, dockerDeployment());
    await stack.destroy();
    expect(object).toMatch(/^\/v2\/deployments\//);
    expect(stack.messages.join("\n")).not.toContain("is being deleted");
  });

  it("that the server has accepted, and rejects when it is repeated after a lost response, ends well", async () => {
    const { platform, stack, id } = await createDeployment();
    const path = `/v2/deployments/${id}`;
    await platform.addFault({ method: "DELETE", path, connection: "reset-after" });
    await platform.addFault({ method: "DELETE", path, status: 409, body: { detail: "It is being deleted" } });
    await stack.destroy();
    expect(await platform.deployments()).toEqual([]);
  });

  it("that the server rejects keeps it, and says what to do", async () => {
    const { platform, stack, id } = await createDeployment();
    await platform.addFault({ method: "DELETE", status: 409, body: { detail: "A backup is in progress" } });
    await expect(stack.destroy()).rejects.toThrow(/409: A backup is in progress\nIt stays in state\. Run the command/);
    expect([stateOf(stack).id, (await platform.deployments()).length]).toEqual([id, 1]);
  });

  it("that the server accepts ends well even if its timeout is shorter", async () => {
    const { proxy, keep, skipPolls } = await startKeeping("AWAITING_DELETE");
    const stack = await startStack(proxy, dockerDeployment(), { timeouts: { delete: "10s" } });
    await keep(stateOf(stack).id);
    skipPolls();
    await stack.destroy();
    expect(stack.messages.at(-1)).toContain("is being deleted");
  });

  it("is not finished by one stray 404 of a deployment that the server still runs", async () => {
    const { platform, proxy, keep } = await startKeeping("READY");
    const stack = new Stack(proxy, { timeouts: { delete: "20s" } });
    const { id } = await stack.stateAfter(dockerDeployment());
    await keep(id);
    const path = `/v2/deployments/${id}`;
    for (const skip of [1, 3, 6]) await platform.addFault({ method: "GET", path, status: 404, skip });
    await expect(stack.destroy()).rejects.toThrow("Last status: READY.");
    expect(stateOf(stack).id).toBe(id);
  });

  it("that takes longer than a minute says that the server continues it without the user", async () => {
    const { proxy, keep, skipPolls } = await startKeeping("READY");
    const stack = await startStack(proxy, dockerDeployment(), { timeouts: { delete: "90s" } });
    await keep(stateOf(stack).id);
    skipPolls();
    await expect(stack.destroy()).rejects.toThrow(
      "Last status: READY.\nIt stays in state. Run the command again; if that fails as well, ask the operators",
    );
    expect(stack.messages.join("\n")).toMatch(
      /READY, .*to stop waiting: the server continues the deletion, and the next `pulumi destroy` resumes waiting\)/,
    );
  });

  it("ends when the list still shows as deleting what a GET no longer finds", async () => {
    const { platform, proxy, keep, skipPolls } = await startKeeping("AWAITING_DELETE");
    const stack = new Stack(proxy);
    const { id } = await stack.stateAfter(dockerDeployment());
    await keep(id);
    await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 404, skip: 1, times: 99 });
    skipPolls();
    await stack.destroy();
  });
});

describe("a replacement of a Deployment", () => {
  const moved = dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } });

  it("waits for its name, and says why when the server does not free it", async () => {
    const { proxy, keep, skipPolls } = await startKeeping("AWAITING_DELETE");
    const stack = new Stack(proxy, { timeouts: { create: "6s" } });
    const { id } = await stack.stateAfter(dockerDeployment());
    await keep(id);
    skipPolls();
    const { message } = await failureOf(stack.up(moved));
    expect(message).toContain(
      `waiting for the old deployment ${id} to free the name "agent". Last status: AWAITING_DELETE.`,
    );
    expect(message).toContain("The server keeps the name of a deleted deployment until it has finished the deletion");
  });

  it.each<[string, number]>([
    ["is created as soon as the server frees the name", 5],
    ["is created then also if an interrupted run had deleted the old one", 5],
    ["says why when the server does not free the name", 1000],
  ])("on a server that hides deleted deployments %s", async (what, times) => {
    const { platform, stack, id } = await createDeployment();
    if (what.includes("interrupted")) await platform.call("DELETE", `/v2/deployments/${id}`);
    await platform.advance(60_000);
    const body = { detail: "Deployment name is already taken" };
    await platform.addFault({ method: "POST", path: "/v2/deployments", status: 409, body, times });
    if (times === 5) expect(await stack.up(moved)).toBe("replace");
    else await expect(stack.up(moved)).rejects.toThrow(/: 409: .*\nThe deployment .* was deleted\. .* up to a week/s);
    if (times === 5) return;
    expect(stack.messages.join()).toContain("fails after the deletion if the platform keeps the name: see");
    expect(stack.state).toBeUndefined();
    await platform.emulator.faults.clear();
    expect(await stack.up({ ...moved, name: "another" })).toBe("create");
  });
});

it("a replacement under its own name deletes by no force, after which no server frees the name", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ forceDelete: true }));
  const body = { detail: "The name is taken" };
  await platform.addFault({ method: "POST", path: "/v2/deployments", status: 409, body, times: 1000 });
  await expect(stack.up(dockerDeployment({ sourceConfig: { listenerId: LISTENER_ID } }))).rejects.toThrow("to a week");
  expect(platform.requests({ method: "DELETE" })).toHaveLength(1);
});

/** A server that ignores the filter and the offset of the list of deployments. */
const unpaged = (limit: number) => (url: string) =>
  url.replace(/^\/v2\/deployments\?.*/, `/v2/deployments?limit=${limit}`);

it.each([20, 100])(
  "a deployment that is not in a part of the list of %d items stays in state, and a destroy deletes nothing silently",
  async (pageSize) => {
    const platform = await startPlatform();
    const stack = new Stack(await startRewritingProxy(platform, () => undefined, { forward: unpaged(pageSize) }));
    const { id } = await stack.stateAfter(dockerDeployment());
    await platform.emulator.seed({ deployments: Array.from({ length: 140 }, (_, at) => ({ name: `other-${at}` })) });
    for (const command of [() => stack.refresh(), () => stack.destroy()]) {
      await platform.addFault({ method: "GET", path: `/v2/deployments/${id}`, status: 404, times: 2 });
      await expect(command()).rejects.toThrow(`Could not determine whether ${id} still exists`);
      expect(stateOf(stack).id).toBe(id);
    }
    expect(await platform.getDeployment(id)).toMatchObject({ status: "READY" });
  },
);
