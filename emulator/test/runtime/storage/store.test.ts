import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createDeployment, docker, start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

test("a data file of an earlier version keeps working", async () => {
  const data = newFolder();
  const first = await start({ data });
  const secrets = [{ name: "KEY", value: "a-secret-of-an-earlier-version" }];
  const { id } = await createDeployment(first, docker("agent", { secrets }));
  await first.emulator.stop();
  const path = join(data, "emulator.sqlite");
  const file = new DatabaseSync(path);
  file.exec("ALTER TABLE deployments DROP COLUMN first_revision_config; CREATE TABLE uploads (id TEXT)");
  file.exec("ALTER TABLE revisions DROP COLUMN secrets");
  file.prepare("UPDATE deployments SET secrets = ?").run(JSON.stringify(secrets));
  const earlierNames = { request_log: "journal", request_bodies: "journal_bodies" };
  for (const [name, earlier] of Object.entries(earlierNames)) file.exec(`ALTER TABLE ${name} RENAME TO ${earlier}`);
  file.close();
  expect(readFileSync(path).includes("a-secret-of")).toBe(true);

  const second = await start({ data });
  expect((await second.get(`/v2/deployments/${id}`)).body).toMatchObject({ name: "agent", secrets });
  const files = readdirSync(data).filter((name) => name.startsWith("emulator.sqlite"));
  for (const name of files) expect(readFileSync(join(data, name)).includes("a-secret-of")).toBe(false);
  const [created] = second.emulator.requestLog.entries({ method: "POST" });
  expect((await second.admin("GET", `/request-log/${created?.id}`)).body).toMatchObject({
    request_body: { name: "agent" },
  });
  await createDeployment(second, docker("other"));
});

const temporaryFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("agentgraph-emulator-"));

test("without --data, the emulator uses a temporary folder and deletes it when it stops", async () => {
  const ownFolders = () => temporaryFolders().filter((name) => name.startsWith(`agentgraph-emulator-${process.pid}-`));
  const before = ownFolders();
  const client = await start();
  const [folder, ...others] = ownFolders().filter((name) => !before.includes(name));
  expect(others).toEqual([]);
  expect(readdirSync(join(tmpdir(), String(folder)))).toContain("emulator.sqlite");
  await client.emulator.stop();
  expect(ownFolders()).toEqual(before);
});

test("a temporary folder whose process was killed is removed by the next emulator", async () => {
  // No system assigns this process ID.
  const staleFolder = join(tmpdir(), "agentgraph-emulator-2147483646-abcdef");
  mkdirSync(staleFolder);
  writeFileSync(join(staleFolder, "emulator.sqlite"), "");
  await start();
  expect(existsSync(staleFolder)).toBe(false);
});
