import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(__dirname, "../..");

/** Folders of the sources that `npm run build` compiles. */
export const SOURCES = ["sdk/nodejs", "provider", "cli", "plugin", "emulator/src"];

interface Ending {
  code: number | null;
  output: string;
}

/**
 * A separate checkout with the real scripts, an empty cache, and a PATH with only the programs of the test, so that the
 * set-up of the user is neither used nor changed.
 */
export class Checkout {
  readonly root = mkdtempSync(join(tmpdir(), "agentgraph-scripts-"));
  readonly cache = join(this.root, "cache");
  readonly bin = join(this.root, "bin");

  constructor() {
    for (const folder of ["scripts", "toolchain"])
      cpSync(join(ROOT, folder), join(this.root, folder), { recursive: true });
    mkdirSync(this.bin);
    symlinkSync(process.execPath, join(this.bin, "node"));
    for (const name of ["sh", "mkdir", "cat", "chmod", "sleep"]) symlinkSync(`/bin/${name}`, join(this.bin, name));
    this.write("node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs", "#!/bin/sh\n");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Adds a source file, and what tsc makes of it. */
  private build(folder: string): void {
    const name = folder === "sdk/nodejs" ? "index" : "main";
    const dist = folder === "emulator/src" ? "emulator/dist" : `dist/${folder}`;
    this.write(`${folder}/${name}.ts`, "");
    for (const end of [".js", ".d.ts"]) this.write(`${dist}/${name}${end}`, "");
  }

  /** Puts a program on PATH, or in another folder, that is this shell script. */
  program(name: string, script: string, folder = "bin"): void {
    this.write(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.root, folder, name), 0o755);
  }

  /** Makes this a checkout whose dependencies are installed; its tools say their name and succeed. */
  install(): void {
    this.write("package-lock.json", '{ "packages": {} }');
    this.write("node_modules/.package-lock.json", '{ "packages": {} }');
    this.write("tsconfig.json", "{}");
    this.write("emulator/tsconfig.json", "{}");
    this.write("emulator/page/build.mjs", "");
    for (const file of ["package.json", "emulator/package.json"]) cpSync(join(ROOT, file), join(this.root, file));
    for (const folder of SOURCES) this.build(folder);
    for (const name of ["tsc", "biome", "depcruise", "knip", "jest"])
      this.program(name, `echo "${name} $*"`, "node_modules/.bin");
  }

  /** Variables that the commands find in their environment, besides PATH, HOME and AGENTGRAPH_CACHE. */
  readonly env: Record<string, string> = {};

  /** Runs `node <args>` here; `before` is code that runs first in that process (to pretend another machine). */
  node(args: string[], before = "", onStart: (pid: number) => void = () => {}): Promise<Ending> {
    const preload = before ? ["--import", `data:text/javascript,${encodeURIComponent(before)}`] : [];
    const child = spawn(process.execPath, [...preload, ...args], {
      cwd: this.root,
      env: { PATH: this.bin, HOME: this.root, AGENTGRAPH_CACHE: this.cache, ...ofThisRun(), ...this.env },
    });
    if (child.pid) onStart(child.pid);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    return new Promise((done) => child.on("close", (code) => done({ code, output: output.trim() })));
  }

  /** Runs code as a command of ours: `script("setup/cache.mjs")` in it is the address of that script. */
  command(body: string, before = "", onStart?: (pid: number) => void): Promise<Ending> {
    const code = `
      const script = (path) => import(${JSON.stringify(`${pathToFileURL(join(this.root, "scripts"))}/`)} + path);
      const { start } = await script("setup/start.mjs");
      await start(async () => ({ main: async () => { ${body} } }));`;
    return this.node(["--input-type=module", "-e", code], before, onStart);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** By this the end of the tests finds what they have left running. */
function ofThisRun(): Record<string, string> {
  const { TEST_RUN_ID } = process.env;
  return TEST_RUN_ID === undefined ? {} : { TEST_RUN_ID };
}

/** Runs a test in a separate checkout. */
export const inCheckout = (story: (checkout: Checkout) => Promise<void>) => async () => {
  const checkout = new Checkout();
  try {
    await story(checkout);
  } finally {
    checkout.remove();
  }
};

/** Declares a test that runs in a separate checkout. */
export const testInCheckout = (title: string, story: (checkout: Checkout) => Promise<void>) =>
  test(title, inCheckout(story));

/** A fake `pulumi` that records its arguments and variables of its environment; its stack is one file. */
export function pulumi(checkout: Checkout) {
  for (const helper of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) checkout.program(helper, "");
  checkout.program(
    "pulumi",
    `
    if [ "$1" = version ]; then echo v3.259.0; exit; fi
    settings="key:$AGENTGRAPH_API_KEY tenant:$AGENTGRAPH_TENANT_ID at:$AGENTGRAPH_URL"
    echo "$* | $PULUMI_HOME | $PULUMI_BACKEND_URL | token:$PULUMI_ACCESS_TOKEN $settings" >> calls
    stacks="\${PULUMI_BACKEND_URL#file://}/.pulumi/stacks/quickstart"
    case "$1 $2" in
      "stack select") mkdir -p "$stacks"; echo {} > "$stacks/dev.json";;
      "destroy --yes") rm "$stacks/dev.json";;
    esac`,
  );
}

/** Expects that a command failed with this sentence and without a stack trace. */
export function expectOneSentence({ code, output }: { code: number | null; output: string }, sentence: RegExp) {
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}
