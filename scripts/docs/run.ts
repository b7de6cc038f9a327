/** `npm run docs`: builds the documentation as a website. `--serve` shows it. */
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ready } from "../setup/index.mjs";
import { withLock } from "../setup/lock.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { duration, step } from "../setup/step.mjs";
import { ensureVitePress } from "../tools/npm-packages.ts";
import type { OptionsOf } from "../tools/options.ts";

export const usage = {
  command: "npm run docs",
  summary: "Builds the documentation as a website: the guide, and the references of all languages.",
  options: {
    serve: { type: "boolean", meaning: "show it on this machine" },
    port: { type: "string", form: "N", meaning: "port of --serve (default: 4173)" },
    out: { type: "string", form: "FOLDER", meaning: "where to write it (default: build/site)" },
  },
} as const;

export async function main({ serve: isServed, port = "4173", out = join("build", "site") }: OptionsOf<typeof usage>) {
  const folder = resolve(ROOT, out);
  const base = process.env.DOCS_BASE || "/";
  assertReplaceable(folder);
  if (!/^\d{1,5}$/.test(port)) throw new Problem(`"${port}" is not a valid port.`);
  const begin = Date.now();
  const packages = await withLock(join(PRIVATE, "site.lock"), "Website", () => build(folder, base));
  console.log(`The website is in ${relative(process.cwd(), folder) || "."}, after ${duration(Date.now() - begin)}.`);
  if (isServed) await serve(packages, { folder, base, port: Number(port) });
  return 0;
}

/** Serves the website on this machine until the process ends. @throws Problem if the port cannot be used */
async function serve(packages: string, { folder, base, port }: { folder: string; base: string; port: number }) {
  const { preview } = await import(join(packages, "vite/dist/node/index.js"));
  const address = { host: "127.0.0.1", port, strictPort: true };
  const options = { configFile: false, base, appType: "mpa", build: { outDir: folder }, preview: address };
  const server = await preview(options).catch(({ message }: Error) => {
    throw new Problem(`${message}. Choose another port with --port.`);
  });
  server.printUrls();
}

/** VitePress deletes what the folder contains. @throws Problem if that is not a website that it built */
function assertReplaceable(folder: string) {
  if (!existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, "hashmap.json"))) return;
  throw new Problem(`${folder} contains other files, which the build would delete. Choose another folder with --out.`);
}

/** Returns the folder of the packages that it uses. */
async function build(folder: string, base: string): Promise<string> {
  const { node, env } = await ready({ cli: false });
  const packages = await ensureVitePress(env);
  await step("Reference", "reading the types with TypeDoc", () =>
    run(node, [join(ROOT, "node_modules/typedoc/bin/typedoc"), "--options", join(ROOT, "scripts/docs/typedoc.json")], {
      cwd: ROOT,
      env,
      failed: "TypeDoc failed",
    }),
  );
  const draft = join(PRIVATE, "site");
  await step("Website", "building the pages with VitePress", async (status) => {
    // It imports the built package.
    const { writeDraft } = await import("./draft.ts");
    const { writeMarkdownPages } = await import("./llms.ts");
    const count = writeDraft(draft, packages, base);
    const args = [join(packages, "vitepress/bin/vitepress.js"), "build", draft, "--outDir", folder];
    const { code, output } = await attempt(node, args, { cwd: ROOT, env });
    if (code !== 0) throw new Problem("VitePress could not build the website. See its output above.", output.trim());
    writeMarkdownPages(folder, base);
    status(`${count} pages`);
  });
  return packages;
}
