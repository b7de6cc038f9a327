/** A folder as a source: its digest, its ignored files, and its tarball. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs, { chmodSync, createWriteStream, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  computeDigest,
  SourceError,
  withTarball,
} from "../../../../../provider/resources/deployment/source/source-folder";

import { createFolder } from "../../../../support/deployments/source-folder";

const files = { "agent.py": "print(1)", "lib/tool.py": "x = 1" };

describe("the digest of a folder", () => {
  it("is the same for the same content, independent of location, order and times", async () => {
    const one = createFolder(files);
    const other = createFolder({ "lib/tool.py": "x = 1", "agent.py": "print(1)" });
    utimesSync(join(other, "agent.py"), 0, 0);
    expect(await computeDigest(other)).toBe(await computeDigest(one));
    expect(await computeDigest(one)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("is the same for names of files in either form of Unicode, as file systems return them", async () => {
    const inForm = (form: string) =>
      createFolder({ ["Grüße/ä.py".normalize(form)]: "x = 1", "b.py": "", ["é.md".normalize(form)]: "y" });
    expect(await computeDigest(inForm("NFD"))).toBe(await computeDigest(inForm("NFC")));
  });

  const changes: Record<string, (folder: string) => void> = {
    "a file's content": (folder) => writeFileSync(join(folder, "agent.py"), "print(22)"),
    "a file's name": (folder) => writeFileSync(join(folder, "agent2.py"), "print(1)"),
    "the executable bit": (folder) => chmodSync(join(folder, "agent.py"), 0o755),
    "a symbolic link": (folder) => symlinkSync("agent.py", join(folder, "link.py")),
  };
  it.each(Object.entries(changes))("changes with %s", async (_what, change) => {
    const folder = createFolder(files);
    const before = await computeDigest(folder);
    change(folder);
    expect(await computeDigest(folder)).not.toBe(before);
  });

  it("does not change with ignored files", async () => {
    const rules = { ...files, ".gitignore": "*.log\nbuild/\n", "lib/.agentgraphignore": "!keep.log\n" };
    const bare = await computeDigest(createFolder(rules));
    const full = createFolder({ ...rules, "a.log": "", "build/x.py": "", ".git/HEAD": "ref" });
    expect(await computeDigest(full)).toBe(bare);
    writeFileSync(join(full, "lib/keep.log"), "");
    expect(await computeDigest(full)).not.toBe(bare);
  });
});

it("the tarball of a folder contains its files with modes and links, and is removed afterwards", async () => {
  const folder = createFolder({ ...files, ".gitignore": "secret.env", "secret.env": "KEY=1" });
  chmodSync(join(folder, "agent.py"), 0o755);
  symlinkSync("agent.py", join(folder, "link.py"));
  const target = createFolder({});
  await withTarball(folder, async ({ size, type, open }) => {
    expect([size > 0, type]).toEqual([true, "application/gzip"]);
    await pipeline(open(), createWriteStream(join(target, "a.tar.gz")));
  });
  const listed = execFileSync("tar", ["-tvzf", join(target, "a.tar.gz")], { encoding: "utf8" })
    .trim()
    .split("\n");
  const names = listed.map((line) => line.replace(/^.*:\d\d /, "")).sort();
  expect(names).toEqual([".gitignore", "agent.py", "lib/tool.py", "link.py -> agent.py"]);
  expect(listed.find((line) => line.endsWith(" agent.py"))).toMatch(/^-rwxr-xr-x/);
});

it("the tarballs of folders with the same content are identical", async () => {
  const bytes = (folder: string) =>
    withTarball(folder, async ({ open }) => Buffer.concat(await open().toArray()).toString("base64"));
  expect(await bytes(createFolder(files))).toBe(await bytes(createFolder(files)));
});

it("a full disk fails the packing of a large folder without crashing or hanging", async () => {
  const folder = createFolder({ large: "x", more: "y" });
  writeFileSync(join(folder, "large"), randomBytes(8_000_000));
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error("ENOSPC: no space left on device")) });
  const disk = jest.spyOn(fs, "createWriteStream").mockReturnValue(full as fs.WriteStream);
  try {
    await expect(withTarball(folder, async () => "sent")).rejects.toThrow(/Could not pack the folder.*ENOSPC/);
  } finally {
    disk.mockRestore();
  }
});

it.each([
  ["that is not there", () => "/no/such/folder", /is neither a folder/],
  ["that is a file", () => join(createFolder({ a: "" }), "a"), /is neither a folder/],
  ["that is empty", () => createFolder({}), /contains no files/],
  ["of which all is ignored", () => createFolder({ ".gitignore": "*", a: "" }), /all are ignored/],
])("a folder %s fails with an explanation", async (_what, folder, expected) => {
  const digest = computeDigest(folder());
  await expect(digest).rejects.toThrow(expected);
  await expect(digest).rejects.toBeInstanceOf(SourceError);
});
