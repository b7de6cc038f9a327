import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { agentEntry, logOf, startWith } from "../support/agents/agents";
import { type Body, type Client, createDeployment, docker, githost, rolloutMs, statuses } from "../support/emulator";
import { newFolder } from "../support/folder";
import { graphConfig, internalSource, tar, tarEntry, uploadSource } from "../support/tarballs";

/** A folder of an attacker. Each of its programs and modules leaves a trace when it runs. */
const evil = newFolder();
const trace = join(evil, "trace");
const code = `require("node:fs").appendFileSync(${JSON.stringify(trace)}, process.argv.join(" ") + "\\n")`;
writeFileSync(join(evil, "evil.cjs"), code);
for (const name of ["node", "git", "sh", "npm", "git-remote-evil", "git-upload-pack", "evil"]) {
  writeFileSync(join(evil, name), `#!/bin/sh\necho "$0" >> ${trace}\nexit 1\n`);
  chmodSync(join(evil, name), 0o755);
}

/** Variables that make a loader, an interpreter, a shell or a tool run something of the attacker. */
const variables = [
  ["PATH", `${evil}:${process.env.PATH}`],
  ["Path"],
  ["NODE_OPTIONS", `--require ${join(evil, "evil.cjs")}`],
  ["NODE_OPTIONS", `--import=data:text/javascript,import{appendFileSync}from"node:fs";appendFileSync("${trace}","x")`],
  ["node_options", `--require ${join(evil, "evil.cjs")}`],
  // A name that contains "=" sets another variable.
  ["NODE_OPTIONS=--require", `${join(evil, "evil.cjs")}`],
  [`PATH=${evil}:`],
  ["BASH_FUNC_node%%", `() { touch ${trace}; }`],
  ["A\nNODE_OPTIONS"],
  ["A\0B"],
  ["LABEL", "\0"],
  // test/runtime/agents/environment.test.ts has all names.
  ..."NODE_PATH LD_PRELOAD DYLD_INSERT_LIBRARIES PYTHONPATH BASH_ENV ENV PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS".split(" "),
  ..."GIT_EXTERNAL_DIFF npm_config_script_shell PIP_INDEX_URL RUSTC_WRAPPER OPENSSL_CONF HOME SHELL".split(" "),
].map((entry) => (typeof entry === "string" ? { name: entry } : { name: entry[0] ?? "", value: entry[1] }));

/** Values that a command receives as its argument. */
const values = [
  ...["--require=evil.cjs", "-e", "'); process.exit(); ('", `"); ${code}; ("`, "@/etc/passwd", "{folder}"],
  ...[`$(touch ${trace})`, `\`touch ${trace}\``, `x; touch ${trace}`, `x && touch ${trace}`],
  ...[`x\ntouch ${trace}`, `x | tee ${trace}`, `x > ${trace}`, `\${IFS}touch`],
];

const repositories = [
  ...[`ext::sh -c touch% ${trace}`, `evil::${evil}`, `--upload-pack=touch ${trace}`, "-u", "/etc", "fd::17"],
  ...["https://user@git.example.test/team/agent", `git@localhost:${evil}`, "git://localhost/x", "http://127.0.0.1:1/x"],
  ...[`ssh://-oProxyCommand=touch%20${trace}/x`, `FILE://${evil}`, `file://--upload-pack=touch ${trace}`],
  ...["file://server.example/share", "file:///nowhere\0"],
];

/** Paths of a graph configuration that lead out of the source, some by a link of a repository. */
const configPaths = ["../agentgraph.json", "/../../etc/passwd", "a/../../b.json", "..", "$(touch x)", "a;b.json"];

/** Deploys with one hostile input each, and returns the last line of the log by what was tried. */
async function deployAll(client: Client, inputs: readonly (readonly [what: string, body: object])[]) {
  const deployed = await Promise.all(
    inputs.map(async ([what, body]) => [what, (await createDeployment(client, body)).id] as const),
  );
  await client.advance(rolloutMs);
  const ended = deployed.map(async ([what, id]) => {
    const log = [...(await logOf(client, id, "build")), ...(await logOf(client, id))];
    const { revisions } = (await client.admin("GET", `/deployments/${id}`)).body as unknown as { revisions: Body[] };
    return [what, { status: revisions.map(({ status }) => status).join(), cause: log.at(-1) }] as const;
  });
  return Object.fromEntries(await Promise.all(ended));
}

const refused = { status: expect.stringMatching(/^(BUILD|DEPLOY)_FAILED$/), cause: expect.any(String) };
const isRefused = (inputs: readonly (readonly [what: string, body: object])[]) =>
  Object.fromEntries(inputs.map(([what]) => [what, refused]));

/** Uploads a source to an existing deployment, whose next revision builds it. */
async function deploySource(client: Client, deployment: Body, files: Record<string, string> | Buffer) {
  await uploadSource(client, deployment, gzipSync(Buffer.isBuffer(files) ? files : tar(files)));
  await client.advance(rolloutMs);
  return (await statuses(client, deployment.id)).at(-1);
}

describe("no request makes the emulator run what its operator did not name", () => {
  afterEach(() => expect(existsSync(trace)).toBe(false));

  it("by a secret", async () => {
    const client = await startWith([agentEntry("", { inherit: ["PATH"] })], { limits: { processes: 200 } });
    const inputs = variables.map(({ name, value = join(evil, "evil.cjs") }, index) => {
      return [`${index} ${name}`, docker(`secret-${index}`, { secrets: [{ name, value }] })] as const;
    });
    expect(await deployAll(client, inputs)).toEqual(isRefused(inputs));
  });

  it("by a program that an uploaded source or an attacker puts into a folder of the search path", async () => {
    const path = process.env.PATH;
    process.env.PATH = `.:relative::${path}`;
    try {
      const missing = "no-such-program";
      const client = await startWith([{ source: "internal_source", build: missing, start: missing }]);
      const deployment = await createDeployment(client, internalSource("uploaded"));
      const program = `#!/bin/sh\ntouch ${trace}\n`;
      const files = { "agentgraph.json": graphConfig, "no-such-program": program, "relative/no-such-program": program };
      expect(await deploySource(client, deployment, files)).toBe("BUILD_FAILED");
      expect((await logOf(client, deployment.id, "build")).at(-1)).toMatch(/there is no such program/);
    } finally {
      process.env.PATH = path;
    }
  });

  it("by the environment of an uploaded graph configuration", async () => {
    const run = [process.execPath, "-e", "0"];
    const client = await startWith([{ source: "internal_source", build: run, start: run }]);
    const results = variables.map(async ({ name, value = join(evil, "evil.cjs") }, index) => {
      const deployment = await createDeployment(client, internalSource(`config-${index}`));
      const config = JSON.stringify({ ...JSON.parse(graphConfig), env: { [name]: value } });
      return [name, await deploySource(client, deployment, { "agentgraph.json": config })];
    });
    for (const result of await Promise.all(results)) expect(result).toEqual([result[0], "BUILD_FAILED"]);
  });

  it("by an image or a name that its command contains", async () => {
    const start = [process.execPath, "-e", "log('{image} {name}')"];
    const shell = { source: "external_docker", name: "shell-*", shell: true, start: 'eval "echo {image} {name}"' };
    const client = await startWith([shell, { source: "external_docker", start }], { interfaceOnly: true });
    const ofImage = (image_uri: string) => ({ source_revision_config: { image_uri } });
    const inputs = values.flatMap((value, index) =>
      ["words", "shell"].flatMap((kind) => [
        [`${kind} image ${value}`, docker(`${kind}-${index}`, ofImage(value))] as const,
        [`${kind} name ${value}`, docker(`${kind}-${value}`)] as const,
      ]),
    );
    expect(await deployAll(client, inputs)).toEqual(isRefused(inputs));
  });

  it("by a repository", async () => {
    const client = await startWith([{ source: "githost", start: [process.execPath, "-e", "0"] }]);
    const inputs = repositories.map((repo_url, index) => [repo_url, githost(`git-${index}`, { repo_url })] as const);
    expect(await deployAll(client, inputs)).toEqual(isRefused(inputs));
  });

  it("by what a repository contains, or by the configuration of the operator's own Git", async () => {
    const repository = newFolder();
    const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trim();
    git("init", "--quiet", "--initial-branch", "main");
    writeFileSync(join(repository, ".gitattributes"), "* filter=evil diff=evil\n");
    symlinkSync("/etc/hostname", join(repository, "outside.json"));
    symlinkSync("/nowhere/new.json", join(repository, "dangling.json"));
    mkdirSync(join(repository, ".git/hooks"), { recursive: true });
    for (const hook of ["post-checkout", "post-upload-pack", "reference-transaction"])
      writeFileSync(join(repository, ".git/hooks", hook), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    git("add", ".");
    const settings = ["user.name=a", "user.email=a@example.com", "core.hooksPath=/dev/null"];
    git(...settings.flatMap((setting) => ["-c", setting]), "commit", "-qm", "First");
    git("config", "uploadpack.packObjectsHook", join(evil, "evil"));
    const home = newFolder();
    const program = join(evil, "evil");
    const evilConfig = [
      ...['[filter "evil"]', ` smudge = touch ${trace}`, "[core]", ` fsmonitor = ${program}`],
      ...[` hooksPath = ${join(repository, ".git/hooks")}`, "[credential]", ` helper = ${program}`],
      ...["[init]", ` templateDir = ${join(repository, ".git")}`, "[uploadpack]", ` packObjectsHook = ${program}`, ""],
    ];
    writeFileSync(join(home, ".gitconfig"), evilConfig.join("\n"));
    const saved = process.env.HOME;
    process.env.HOME = home;
    try {
      const start = [process.execPath, "-e", "0", "{config}"];
      const client = await startWith([{ source: "githost", start }]);
      const paths = [...configPaths, "outside.json", "dangling.json"];
      const inputs = paths.map((path, index) => {
        const config = { agentgraph_config_path: path };
        return [path, githost(`config-${index}`, { repo_url: `file://${repository}` }, config)] as const;
      });
      expect(await deployAll(client, inputs)).toEqual(isRefused(inputs));
    } finally {
      process.env.HOME = saved;
    }
  });

  it("by an archive with links, devices and paths that lead out of it", async () => {
    const data = newFolder();
    const client = await startWith([{ source: "internal_source", start: [process.execPath, "-e", "0"] }], { data });
    const deployment = await createDeployment(client, internalSource("archive"));
    const link = tarEntry("link", "", "2");
    link.write(evil, 157);
    const archive = Buffer.concat([
      ...[link, tarEntry("hard", "", "1"), tarEntry("device", "", "3"), tarEntry("fifo", "", "6")],
      ...[tarEntry("link/trace", "x"), tarEntry("../../../../built", "x"), tarEntry("..", "x")],
      tar({ "agentgraph.json": graphConfig }),
    ]);
    await deploySource(client, deployment, archive);
    expect(existsSync(join(data, "built"))).toBe(false);
  });
});
