import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { readTar, TarError } from "../../../src/control-plane/build/tar";
import { newFolder } from "../../support/folder";
import { paxEntry, tar, tarEntry } from "../../support/tarballs";

function folderWith(files: Record<string, string>): string {
  const folder = newFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function readTexts(archive: Buffer): Record<string, string> {
  return Object.fromEntries([...readTar(archive)].map(([path, { content }]) => [path, content.toString()]));
}

describe("reading a tar archive", () => {
  const files = {
    "agentgraph.json": "{}",
    "empty.txt": "",
    "src/größe.txt": "ä".repeat(700),
    [`${"deep/".repeat(30)}file.txt`]: "over a hundred characters away",
    [`src/${"n".repeat(120)}.txt`]: "a long name",
  };

  test.each(["ustar", "pax", "gnutar"])("finds the files that the system's tar wrote as %s", (format) => {
    const written = Object.fromEntries(
      // ustar cannot store a name of more than 100 bytes.
      Object.entries(files).filter(([path]) => format !== "ustar" || !path.includes("nnn")),
    );
    const folder = folderWith(written);
    symlinkSync("agentgraph.json", join(folder, "link.json"));
    const gnu = execFileSync("tar", ["--version"]).includes("GNU");
    const name = format === "gnutar" && gnu ? "gnu" : format;
    expect(readTexts(execFileSync("tar", [`--format=${name}`, "-cf", "-", "-C", folder, "."]))).toEqual(written);
  });

  test("finds any files with any content", () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    // A unit of all characters, `binary`, takes fast-check a second to prepare.
    const unit = fc.constantFrom(..."aZ09 \n\r\0\u00ff\u2028\uffff", "\u{10ffff}", "ä", "漢", "👩");
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.dictionary(path, fc.string({ unit, maxLength: 2000 })), (written) => {
        expect(readTexts(tar(written))).toEqual({ ...written });
      }),
      { numRuns: 100 },
    );
  });

  test("skips paths that lead out of the root", () => {
    expect(readTexts(tar({ "../../etc/passwd": "x", "/absolute": "y", "./a/../b": "z" }))).toEqual({
      absolute: "y",
      b: "z",
    });
  });

  test.each([
    ["an empty file", Buffer.alloc(0)],
    ["a text", Buffer.from("no archive")],
    ["a long text", Buffer.from("no archive ".repeat(100))],
    ["half an archive", tar({ a: "x".repeat(3000) }).subarray(0, 1500)],
  ])("rejects %s", (_, archive) => {
    expect(() => readTar(archive)).toThrow(TarError);
  });

  const sizes = ["-1536", "-1", "0.5", "NaN", "Infinity", "1e3", "0x10", "", " 1", "9".repeat(30)];
  test.each(sizes)("rejects the size %j of an extended header, which could lead back to one that was read", (size) => {
    expect(() => readTar(Buffer.concat([paxEntry("size", size), tar({ a: "text" })]))).toThrow(TarError);
  });

  test.each([
    ["entries", () => Buffer.concat(Array<Buffer>(100_001).fill(tarEntry("a", "")))],
    ["folders", () => Buffer.concat([paxEntry("path", `${"a/".repeat(100)}b`), tar({ a: "" })])],
    ["bytes of a name", () => Buffer.concat([paxEntry("path", "a".repeat(256)), tar({ a: "" })])],
    ["bytes of an extended header", () => tarEntry("a", "x".repeat(1024 * 1024 + 1), "L")],
  ])("rejects too many %s", (_, archive) => {
    expect(() => readTar(archive())).toThrow(TarError);
  });

  test("throws no other error, whichever byte is corrupted", () => {
    const archive = tar({ "agentgraph.json": "{}", "a/b.txt": "text" });
    fc.assert(
      fc.property(fc.nat(archive.length - 1), fc.nat(255), (at, byte) => {
        const corrupted = Buffer.from(archive);
        corrupted[at] = byte;
        try {
          readTar(corrupted);
        } catch (error) {
          expect(error).toBeInstanceOf(TarError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
