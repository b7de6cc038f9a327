import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { agentEntry, ask, deploy, logOf, startWith } from "../support/agents/agents";
import type { Client } from "../support/emulator";
import { rolloutMs, statuses } from "../support/emulator";
import { newFolder } from "../support/folder";

/** Contains what JSON and SQL escape. */
const canary = 'canary-"one"\n\\two-é';

describe("the secrets of an agent", () => {
  it("are in no file of the data folder, no log line and no argument list, in no form", async () => {
    const data = newFolder();
    const client = await startWith([agentEntry("leak")], { data });
    const id = await deploy(client, "agent", { secrets: [{ name: "SECRET", value: canary }] });
    await fetch(`${client.emulator.urls.controlPlane}/agents/${id}/`, { method: "POST", body: canary });
    await client.patch(`/v2/deployments/${id}`, { secrets: [{ name: "SECRET", value: `${canary}-new` }] });
    await client.advance(rolloutMs);
    expect((await ask(client, id, "/environment")) as unknown).toMatchObject({ SECRET: `${canary}-new` });
    expect(filesWith(data, canary)).toEqual([]);
    expect((await logOf(client, id)).filter((line) => line.includes("canary"))).toEqual([]);
    expect(argumentLists().filter((line) => line.includes("canary"))).toEqual([]);
    await client.emulator.stop();
    expect(filesWith(data, canary)).toEqual([]);
  });

  it("are those of the revision that runs, after a restart of the emulator too", async () => {
    const data = newFolder();
    const first = await startWith([agentEntry()], { data });
    const id = await deploy(first, "agent", { secrets: [{ name: "VERSION", value: "one" }] });
    const secrets = [
      { name: "VERSION", value: "two" },
      { name: "MODE", value: "exit" },
    ];
    await first.patch(`/v2/deployments/${id}`, { secrets });
    await first.advance(rolloutMs);
    expect(await statuses(first, id)).toEqual(["DEPLOYED", "DEPLOY_FAILED"]);
    await first.emulator.stop();
    expect(await untilAvailable(await startWith([agentEntry()], { data }), id)).toBe("one");
  });
});

/** Returns the version that the agent reports; fails the test if it could not be started again. */
async function untilAvailable(client: Client, id: string): Promise<string> {
  const { process } = (await client.admin("GET", `/agents/${id}`)).body as unknown as {
    process: { last_exit: string | null } | null;
  };
  expect(process?.last_exit ?? null).toBeNull();
  return (await ask(client, id))?.version ?? untilAvailable(client, id);
}

/** Returns the arguments of all processes that can be read; empty on systems without /proc. */
function argumentLists(): string[] {
  const ids = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return ids.map((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8");
    } catch {
      // The process has ended.
      return "";
    }
  });
}

/** Returns the names of the files that contain a text: as it is, escaped, or encoded. */
function filesWith(folder: string, text: string): string[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const forms = [text, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(text), bytes.toString("hex")];
  // The bytes before it move base64 by one or two bytes; the first and the last characters depend on the neighbors.
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return files.filter((name) => {
    const content = readFileSync(join(folder, name));
    return [...forms, ...encoded].some((form) => content.includes(form));
  });
}
