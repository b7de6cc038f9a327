/** A kind -> a typed resource class: its token, the stub in state, the hidden inputs, the options that keep data safe. */
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { KindFacts } from "./kinds";
import { nameTemplateOf } from "./provider";

/** The oldest Node that both halves are tested with. */
const OLDEST_NODE = [22, 19] as const;

/**
 * The text that each resource carries in state: it makes the host load the *installed* package, so that new versions
 * run for old state. Frozen: its bytes live in users' state.
 */
export function stubOf(kind: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_")("pulumi-agentgraph/provider").${kind}`;
}

/** The token by which state and engine know the kind. Frozen. */
export function tokenOf(kind: string): string {
  return `pulumi-nodejs:dynamic/agentgraph:${kind}`;
}

/** Makes the class of a kind. Its type comes from the generated kinds.ts, so that users see fields and sentences. */
export function resource<Class>(kind: string, facts: KindFacts): Class {
  const made = class extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
      assertUsable();
      if (options.deleteBeforeReplace === false) {
        throw new Error(
          `${kind} "${name}": deleteBeforeReplace: false is not possible: two of the same name cannot exist at once, and the engine would delete the new one. Leave the option out.`,
        );
      }
      const { import: imported, ...rest } = options;
      const depth = Error.stackTraceLimit;
      // For each property the SDK notes a stack, read only when it hunts for leaks, and ts-node maps every frame of it.
      if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
      try {
        super(tokenOf(kind), name, properties(kind, facts, name, args, options, imported), {
          ...rest,
          deleteBeforeReplace: true,
          additionalSecretOutputs: [...facts.secrets, ...(options.additionalSecretOutputs ?? [])],
        });
      } catch (error) {
        Error.stackTraceLimit = depth;
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      } finally {
        Error.stackTraceLimit = depth;
      }
    }
  };
  Object.defineProperty(made, "name", { value: kind });
  return made as unknown as Class;
}

function properties(
  kind: string,
  facts: KindFacts,
  name: string,
  args: pulumi.Inputs,
  options: pulumi.CustomResourceOptions,
  imported: pulumi.Input<pulumi.ID> | undefined,
): pulumi.Inputs {
  const properties: pulumi.Inputs = { ...args };
  // Outputs must be named, with undefined, to become Outputs of the instance.
  for (const output of facts.outputs) properties[output] = undefined;
  if (facts.named && properties[facts.named] === undefined) properties[facts.named] = defaultName(name, options);
  return {
    ...properties,
    __provider: stubOf(kind),
    __urn: plain(pulumi.createUrn(name, tokenOf(kind), options.parent)),
    __organization: pulumi.getOrganization(),
    // The SDK makes a promise for every key, an undefined one too: these two are seldom there.
    ...(options.customTimeouts && { __timeouts: options.customTimeouts }),
    ...(imported !== undefined && { __import: imported }),
  };
}

/**
 * The value of an Output, which is always known, without its dependencies. A URN names the parent, and to depend on a
 * component is to wait for all its children: two of them would wait for each other for ever.
 */
function plain<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value as T));
  });
}

function defaultName(name: string, options: pulumi.CustomResourceOptions): pulumi.Output<string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: users write this placeholder in a setting.
  const byName = "${name}";
  const words: Record<string, string> = { name, stack: pulumi.getStack(), project: pulumi.getProject() };
  return pulumi
    .output(nameTemplateOf(options))
    .apply((template) => (template || byName).replace(/\$\{(\w+)\}/g, (text, word: string) => words[word] ?? text));
}

let usable = false;

/**
 * Two things that would otherwise fail later and say less: an old Node, and a program that does not own the package.
 * @throws pulumi.RunError whose message is shown alone: where in the program it was noticed tells nobody anything.
 */
function assertUsable(): void {
  if (usable) return;
  assertNode(process.versions.node);
  assertResolvable(process.cwd());
  usable = true;
}

export function assertNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, least] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= least)) return;
  throw new pulumi.RunError(
    `pulumi-agentgraph needs Node ${oldest}.${least} or newer, and this program runs on ${version}: install a newer Node.`,
  );
}

/** The stub is resolved from the program's folder: what it finds there must be this package. */
export function assertResolvable(folder: string): void {
  const own = join(__dirname, "..", "provider", "index.js");
  let found: string;
  try {
    found = createRequire(join(folder, "_")).resolve("pulumi-agentgraph/provider");
  } catch {
    throw new pulumi.RunError(
      `pulumi-agentgraph cannot be found from the program's folder ${folder}, where Pulumi looks for it: add "pulumi-agentgraph" to the dependencies in ${manifestOf(folder)}, even if another package brings it, and install.`,
    );
  }
  if (realpathSync(found) === realpathSync(own)) return;
  throw new pulumi.RunError(
    `Two copies of pulumi-agentgraph are in use: ${realpathSync(found)} is found from the program's folder, and ${realpathSync(own)} declares the resources. Make every package.json name the same version of pulumi-agentgraph, and of @pulumi/pulumi, since some package managers make a copy for each of its versions.`,
  );
}

/** The package.json that says what a folder may use: the nearest one upwards, else the one to be written there. */
function manifestOf(folder: string, from = folder): string {
  const path = join(from, "package.json");
  if (existsSync(path)) return path;
  return dirname(from) === from ? join(folder, "package.json") : manifestOf(folder, dirname(from));
}
