/** Terraform or OpenTofu, if on PATH, with a generic REST provider and the same deployments. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { PLATFORM, which } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { body } from "./programs.ts";

const MODULE = "github.com/Mastercard/terraform-provider-restapi";
const VERSION = "v1.20.0";

interface Terraform {
  path: string;
  /** Folder of its provider. */
  home: string;
}

/** Terraform commands for each Pulumi command. */
const COMMANDS: Record<string, string[]> = {
  up: ["apply", "-auto-approve"],
  preview: ["plan"],
  "no-op up": ["apply", "-auto-approve"],
  refresh: ["apply", "-refresh-only", "-auto-approve"],
  destroy: ["destroy", "-auto-approve"],
};

/** Returns the program and its provider, or a sentence that explains why there is none. */
export async function findTerraform(env: NodeJS.ProcessEnv): Promise<Terraform | { lack: string }> {
  const path = which("terraform", env) ?? which("tofu", env);
  if (!path) return { lack: "No comparison: neither terraform nor tofu is on PATH." };
  const go = which("go", env);
  if (!go) return { lack: "No comparison: Go, which builds the REST provider of Terraform, is not on PATH." };
  const home = await inCache(`terraform-restapi-${VERSION.slice(1)}-${PLATFORM}`, "Terraform REST provider", (draft) =>
    step("Terraform REST provider", `building ${VERSION} with Go`, () => build(go, draft, env)),
  );
  return { path, home };
}

/** Downloads and builds one version; `go install` would request all versions from the proxy. */
async function build(go: string, draft: string, env: NodeJS.ProcessEnv) {
  const options = {
    cwd: draft,
    env: { ...env, CGO_ENABLED: "0", GOWORK: "off" },
    failed: "Building the Terraform REST provider with Go failed",
  };
  const { Dir }: { Dir: string } = JSON.parse(
    await run(go, ["mod", "download", "-json", `${MODULE}@${VERSION}`], options),
  );
  const flags = ["-mod=readonly", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w"];
  await run(go, ["build", "-C", Dir, ...flags, "-o", join(draft, "terraform-provider-restapi"), "."], options);
}

/** Writes a configuration into the folder. Returns a function that runs a step, and the path of the state. */
export async function terraformIn(
  folder: string,
  { path, home }: Terraform,
  env: NodeJS.ProcessEnv,
  { emulator, deployments }: { emulator: string; deployments: number },
) {
  await mkdir(folder);
  const settings = join(folder, "terraform.rc");
  await writeFile(
    settings,
    `provider_installation {\n  dev_overrides { "mastercard/restapi" = "${home}" }\n  direct {}\n}\n`,
  );
  await writeFile(join(folder, "main.tf.json"), JSON.stringify(configuration(emulator, deployments)));
  const options = { cwd: folder, env: { ...quiet(env), TF_CLI_CONFIG_FILE: settings } };
  return {
    run: (name: string) => {
      const [command = "", ...flags] = COMMANDS[name] ?? [];
      const args = [command, "-input=false", "-no-color", ...flags];
      return run(path, args, { ...options, failed: `terraform ${command} failed` });
    },
    state: join(folder, "terraform.tfstate"),
  };
}

const quiet = (env: NodeJS.ProcessEnv) => ({ ...env, CHECKPOINT_DISABLE: "1" });

const configuration = (emulator: string, deployments: number) => ({
  terraform: { required_providers: { restapi: { source: "mastercard/restapi" } } },
  provider: {
    restapi: {
      uri: emulator,
      headers: { "X-Api-Key": "bench-key" },
      create_returns_object: true,
      update_method: "PATCH",
    },
  },
  resource: {
    restapi_object: Object.fromEntries(
      Array.from({ length: deployments }, (_, i) => [
        `agent-${i}`,
        { path: "/v2/deployments", data: JSON.stringify(body(i)) },
      ]),
    ),
  },
});
