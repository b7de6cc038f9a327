/** A folder as a source, compared with git (ignored files) and tar (packed files). */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  createWriteStream,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { computeDigest, withTarball } from "../../../../../provider/resources/deployment/source/source-folder";
import { createFolder } from "../../../../support/deployments/source-folder";

type Tree = Record<string, string>;

/** Unpacks the tarball of a folder with the system's tar. */
async function unpacked(folder: string): Promise<string> {
  const target = createFolder({});
  await withTarball(folder, ({ size, type, open }) => {
    expect([size > 0, type]).toEqual([true, "application/gzip"]);
    return pipeline(open(), createWriteStream(join(target, "source.tar.gz")));
  });
  mkdirSync(join(target, "out"));
  execFileSync("tar", ["-xzpf", "source.tar.gz", "-C", "out"], { cwd: target });
  return join(target, "out");
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** Lists the files that git would add to an empty repository. */
function keptByGit(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "core.excludesFile=/dev/null", ...args], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  git("init", "-q", "--template=");
  const listed = git("ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean).sort();
  rmSync(join(root, ".git"), { recursive: true });
  return listed;
}

const name = fc.constantFrom("a", "b", "a.log", "b.py", "build", "Keep");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const pattern = fc.oneof(
  fc.constantFrom(
    ...["*.log", "build/", "/build", "**/a", "a/**", "!a.log", "!build/", "*", "!*.py", "!*/", "# a", "", "b?py"],
  ),
  fc.constantFrom("a/b", "/a/*", "!/a/b", "**/build/a", "[ab]", "\\!a", "keep", "a.log ", "!Keep"),
  path.map((text) => `/${text}`),
  path.map((text) => `!${text}`),
);
const rules = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join("\n"));
const rulesIn = (file: string) =>
  fc.dictionary(fc.constantFrom(file, `a/${file}`, `build/${file}`, `a/b/${file}`), rules, { maxKeys: 3 });

/** Paths of which none runs through another's file. */
const tree = (file: string) =>
  fc
    .tuple(fc.array(path, { minLength: 1, maxLength: 8 }), rulesIn(file))
    .map(([paths, files]) => [...paths.map((each): [string, string] => [each, each]), ...Object.entries(files)])
    .map((entries): Tree => {
      const all = [...new Map(entries)].filter(
        ([each], _index, others) => !others.some(([other]) => other.startsWith(`${each}/`)),
      );
      return Object.fromEntries(all);
    });

describe("the ignored files of a folder", () => {
  it(
    "are those that git ignores, for random files and rules in any folder",
    () =>
      fc.assert(
        fc.asyncProperty(tree(".gitignore"), async (files) => {
          const retained = keptByGit(createFolder(files));
          const folder = createFolder(files);
          fc.pre(retained.length > 0);
          expect(filesIn(await unpacked(folder))).toEqual(retained);
        }),
        { numRuns: 40 },
      ),
    60_000,
  );

  it("can be included again by .agentgraphignore of the same folder", async () => {
    const folder = createFolder({
      ".gitignore": "dist/*\n",
      ".agentgraphignore": "!dist/app.js\n*.md\n",
      "dist/app.js": "",
      "dist/b.js": "",
      "a.md": "",
      "a.py": "",
    });
    expect(filesIn(await unpacked(folder))).toEqual([".agentgraphignore", ".gitignore", "a.py", "dist/app.js"]);
  });
});

describe("the digest of a folder", () => {
  const files = { "agent.py": "print(1)", "lib/tool.py": "x = 1", "lib/data.bin": "\u0000\u0001" };

  it("does not depend on the order of creation, times, umask and permissions of the folder", async () => {
    const before = process.umask(0o077);
    const strict = createFolder(Object.fromEntries(Object.entries(files).reverse()));
    process.umask(before);
    const loose = createFolder(files);
    chmodSync(join(loose, "lib"), 0o777);
    chmodSync(join(loose, "agent.py"), 0o666);
    utimesSync(join(loose, "agent.py"), 1, 1);
    mkdirSync(join(loose, "empty"));
    expect(await computeDigest(strict)).toBe(await computeDigest(loose));
    expect(await computeDigest(strict)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  const changes: Record<string, (folder: string) => void> = {
    "a new file": (folder) => writeFileSync(join(folder, "agent2.py"), "print(1)"),
    "a new link": (folder) => symlinkSync("agent.py", join(folder, "link.py")),
    "a content of the same length": (folder) => writeFileSync(join(folder, "agent.py"), "print(2)"),
    "a name": (folder) => renameSync(join(folder, "agent.py"), join(folder, "agent2.py")),
    "the executable bit": (folder) => chmodSync(join(folder, "agent.py"), 0o755),
    "a link's target": (folder) => {
      unlinkSync(join(folder, "link"));
      symlinkSync("lib/tool.py", join(folder, "link"));
    },
    "two contents swapped": (folder) => {
      writeFileSync(join(folder, "agent.py"), files["lib/tool.py"]);
      writeFileSync(join(folder, "lib/tool.py"), files["agent.py"]);
    },
  };
  it.each(Object.entries(changes))("differs with %s", async (_what, change) => {
    const folder = createFolder(files);
    symlinkSync("agent.py", join(folder, "link"));
    const before = await computeDigest(folder);
    change(folder);
    utimesSync(join(folder, "lib/tool.py"), 2, 2);
    expect(await computeDigest(folder)).not.toBe(before);
  });
});

it("the tarball of a folder unpacks to the same files and links, with mode 755 or 644 and the year 1970", async () => {
  const long = `${"long/".repeat(40)}name`;
  const folder = createFolder({ "run.sh": "echo", "a/b/c.txt": "text", "a/ü 名.py": "1", [long]: "x" });
  chmodSync(join(folder, "run.sh"), 0o700);
  chmodSync(join(folder, "a/b/c.txt"), 0o600);
  symlinkSync("../run.sh", join(folder, "a/link"));
  const out = await unpacked(folder);
  expect(filesIn(out)).toEqual(filesIn(folder));
  for (const each of filesIn(out)) {
    const facts = lstatSync(join(out, each));
    if (facts.isSymbolicLink()) continue;
    expect([each, facts.mode & 0o777, facts.mtimeMs]).toEqual([each, each === "run.sh" ? 0o755 : 0o644, 0]);
    expect(readFileSync(join(out, each))).toEqual(readFileSync(join(folder, each)));
  }
  expect(lstatSync(join(out, "a/link")).isSymbolicLink()).toBe(true);
});
