import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create, docker, start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

test("a data file of an earlier version keeps working", async () => {
  const data = newFolder();
  const first = await start({ data });
  const { id } = await create(first, docker("agent"));
  await first.emulator.stop();
  const file = new DatabaseSync(join(data, "emulator.sqlite"));
  file.exec("ALTER TABLE deployments DROP COLUMN first_revision_config; CREATE TABLE uploads (id TEXT)");
  file.close();

  const second = await start({ data });
  expect((await second.get(`/v2/deployments/${id}`)).body.name).toBe("agent");
  await create(second, docker("other"));
});

const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("agentgraph-emulator-"));

test("without --data a temporary folder keeps everything, and goes with the emulator", async () => {
  const own = () => temporary().filter((name) => name.startsWith(`agentgraph-emulator-${process.pid}-`));
  const before = own();
  const client = await start();
  const [folder, ...others] = own().filter((name) => !before.includes(name));
  expect(others).toEqual([]);
  expect(readdirSync(join(tmpdir(), String(folder)))).toContain("emulator.sqlite");
  await client.emulator.stop();
  expect(own()).toEqual(before);
});

test("a temporary folder whose process was killed is removed by the next emulator", async () => {
  // No system gives a process this id.
  const left = join(tmpdir(), "agentgraph-emulator-2147483646-abcdef");
  mkdirSync(left);
  writeFileSync(join(left, "emulator.sqlite"), "");
  await start();
  expect(existsSync(left)).toBe(false);
});
