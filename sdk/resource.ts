/** A kind -> a typed resource class: its token, the stub in state, the hidden inputs, the options that keep data safe. */
import * as pulumi from "@pulumi/pulumi";
import type { KindFacts } from "./kinds";
import { carriable } from "./map-keys";
import { mocksInUse } from "./mocks";
import { checkSettings } from "./program-settings";
import { nameTemplateOf } from "./provider";
import { stubOf, tokenOf } from "./stub";
import { nodeProblem, packageProblem } from "./usable";

/** Makes the class of a kind. Its type comes from the generated kinds.ts, so that users see fields and sentences. */
export function resource<Class>(kind: string, facts: KindFacts): Class {
  const made = class extends pulumi.CustomResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}) {
      const { container } = facts;
      if (!container) return new made(name, {}, { ...options, id });
      const partsOf = splitter(`${kind} "${name}"`, container);
      // A plain text that is wrong fails at its line of the program.
      const parts = typeof id === "string" ? pulumi.output(partsOf(id)) : pulumi.output(id).apply(partsOf);
      const args = { [container.id]: parts.apply(({ id }) => id), [container.url]: parts.apply(({ url }) => url) };
      return new made(name, args, { ...options, id: parts.apply(({ own }) => own) });
    }

    static override isInstance(value: unknown): value is pulumi.CustomResource {
      return pulumi.CustomResource.isInstance(value) && Reflect.get(value, "__pulumiType") === tokenOf(kind);
    }

    constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
      // A unit test runs wherever its runner likes.
      if (!mocksInUse()) assertUsable();
      checkSettings();
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
          hideDiffs: [...INTERNAL_INPUTS, ...(options.hideDiffs ?? [])],
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

interface IdParts {
  /** The ID in the engine's state. */
  own: pulumi.ID;
  /** What holds it, by ID or by URL. */
  id?: string;
  url?: string;
}

/** Splits `<deployment ID>/<ID>` and `<URL>/<ID>`. */
function splitter(what: string, container: NonNullable<KindFacts["container"]>): (id: pulumi.ID) => IdParts {
  return (whole) => {
    const [, holder, own] = /^(.+)\/([^/]+)$/.exec(whole) ?? [];
    if (holder && own) return holder.includes("://") ? { own, url: holder } : { own, id: holder };
    throw new pulumi.RunError(
      `${what} (get): an ID alone does not find it; expected "<${container.id}>/<ID>" or "<${container.url}>/<ID>", got "${whole}".`,
    );
  };
}

function properties(
  kind: string,
  facts: KindFacts,
  name: string,
  args: pulumi.Inputs,
  options: pulumi.CustomResourceOptions,
  imported: pulumi.Input<pulumi.ID> | undefined,
): pulumi.Inputs {
  const isRead = options.id !== undefined;
  const properties: pulumi.Inputs = carriable(`${kind} "${name}"`, args);
  // Outputs must be named, with undefined, to become Outputs of the instance; so must inputs that only the server knows.
  for (const output of facts.outputs) properties[output] = undefined;
  if (isRead) for (const input of facts.inputs) properties[input] ??= undefined;
  else if (facts.named)
    Object.assign(
      properties,
      named(facts.named, args[facts.named], () => defaultName(name, options)),
    );
  return {
    ...properties,
    __provider: stubOf(kind),
    __urn: plain(pulumi.createUrn(name, tokenOf(kind), options.parent)),
    __organization: organization(),
    // The SDK makes a promise for every key, an undefined one too: these are seldom there.
    ...(isRead && { __external: true }),
    ...(options.customTimeouts && { __timeouts: options.customTimeouts }),
    ...(imported !== undefined && { __import: imported }),
    ...(options.replaceOnChanges?.length && { __replaceOnChanges: options.replaceOnChanges }),
    ...secretInputs(facts, args),
  };
}

/**
 * Internal inputs that a move of a resource, a transferred stack or a newer version changes. The provider keeps the
 * others from changing; these the engine is asked not to show.
 */
const INTERNAL_INPUTS = ["__urn", "__organization", "__timeouts", "__import", "__provider"];

/** Which inputs the program marks secret, since the provider gets all values in clear: a preview shows none of these. */
function secretInputs(facts: KindFacts, args: pulumi.Inputs): { __secretInputs?: Promise<string[]> } {
  const open = Object.entries(args ?? {}).filter(([key, value]) => !facts.secrets.includes(key) && holdsOutput(value));
  if (open.length === 0) return {};
  const found = open.map(async ([key, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [key] : []));
  return { __secretInputs: Promise.all(found).then((keys) => keys.flat()) };
}

/** Only what an Output carries can be secret; a Promise carries none. */
function holdsOutput(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Promise) return false;
  return pulumi.Output.isInstance(value) || Object.values(value).some(holdsOutput);
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

/** The input that names the object: as written, or the default, and then that it is one, so that check keeps the name of before. */
function named(
  key: string,
  written: pulumi.Input<string | null | undefined>,
  makeDefault: () => pulumi.Output<string>,
): pulumi.Inputs {
  if (typeof written === "string") return {};
  if (written == null) {
    const made = makeDefault();
    return { [key]: made, __defaultName: made };
  }
  const known = pulumi.output(written);
  const made = known.apply((text): pulumi.Input<string | undefined> => (text == null ? makeDefault() : undefined));
  return { [key]: pulumi.all([known, made]).apply(([text, other]) => text ?? other), __defaultName: made };
}

function defaultName(name: string, options: pulumi.CustomResourceOptions): pulumi.Output<string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: users write this placeholder in a setting.
  const byName = "${name}";
  const words: Record<string, string> = { name, stack: pulumi.getStack(), project: pulumi.getProject() };
  return pulumi
    .output(nameTemplateOf(options))
    .apply((template) => (template || byName).replace(/\$\{(\w+)\}/g, (text, word: string) => words[word] ?? text));
}

/** The engine always names one; a unit test need not, and its setMocks leaves it out by default. */
function organization(): string {
  try {
    return pulumi.getOrganization();
  } catch (error) {
    if (mocksInUse()) return "organization";
    throw error;
  }
}

let usable = false;

function assertUsable(): void {
  if (usable) return;
  assertNode();
  refuse(packageProblem(process.cwd()));
  usable = true;
}

export const assertNode = (): void => refuse(nodeProblem(process.versions.node));

/** @throws pulumi.RunError whose message is shown alone: where in the program it was noticed tells nobody anything. */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new pulumi.RunError(problem);
}
