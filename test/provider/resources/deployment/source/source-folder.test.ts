import { randomBytes } from "node:crypto";
import fs, { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { SourceError } from "../../../../../provider/resources/deployment/source/folder-entries";
import { computeDigest, withTarball } from "../../../../../provider/resources/deployment/source/source-folder";
import { createFolder } from "../../../../support/deployments/source-folder";

const files = { "agent.py": "print(1)", "lib/tool.py": "x = 1" };

describe("the digest of a folder", () => {
  it("is the same for names of files in either form of Unicode, as file systems return them", async () => {
    const inForm = (form: string) =>
      createFolder({ ["Grüße/ä.py".normalize(form)]: "x = 1", "b.py": "", ["é.md".normalize(form)]: "y" });
    expect(await computeDigest(inForm("NFD"))).toBe(await computeDigest(inForm("NFC")));
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
