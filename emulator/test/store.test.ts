import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create, docker, start } from "./helper";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("a file of an earlier version goes on being used", async () => {
  const data = mkdtempSync(join(tmpdir(), "emulator-test-"));
  folders.push(data);
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
