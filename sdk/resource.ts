/** Creates resource classes: type token, stub in state, internal inputs, and options that prevent data loss. */
import * as pulumi from "@pulumi/pulumi";
import type { KindFacts } from "./kinds";
import { carriable } from "./map-keys";
import { mocksInUse } from "./mocks";
import { checkSettings } from "./program-settings";
import { nameTemplateOf } from "./provider";
import { stubOf, tokenOf } from "./stub";
import { nodeProblem, packageProblem } from "./usable";

/** Creates the class of a kind of resource. Its type is in the generated kinds.ts. */
export function resource<Class>(kind: string, facts: KindFacts): Class {
  const made = class extends pulumi.CustomResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}) {
      const { container } = facts;
      if (!container) return new made(name, {}, { ...options, id });
      const partsOf = splitter(`${kind} "${name}"`, container);
      // An invalid string fails at its line in the program.
      const parts = typeof id === "string" ? pulumi.output(partsOf(id)) : pulumi.output(id).apply(partsOf);
      const args = { [container.id]: parts.apply(({ id }) => id), [container.url]: parts.apply(({ url }) => url) };
      return new made(name, args, { ...options, id: parts.apply(({ own }) => own) });
    }

    static override isInstance(value: unknown): value is pulumi.CustomResource {
      return pulumi.CustomResource.isInstance(value) && Reflect.get(value, "__pulumiType") === tokenOf(kind);
    }

    constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
      // A unit test may run in any folder.
      if (!mocksInUse()) assertUsable();
      checkSettings();
      if (options.deleteBeforeReplace === false) {
        throw new Error(
          `${kind} "${name}": deleteBeforeReplace: false is not supported, because names are unique and the engine would delete the new resource. Remove the option.`,
        );
      }
      const { import: imported, ...rest } = options;
      const depth = Error.stackTraceLimit;
      // The SDK captures a stack trace for each property, used only to debug leaks, and ts-node maps every frame of it.
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
  /** ID of the resource itself. */
  own: pulumi.ID;
  /** ID or URL of its container. */
  id?: string;
  url?: string;
}

/** Splits `<deployment ID>/<ID>` and `<URL>/<ID>`. */
function splitter(what: string, container: NonNullable<KindFacts["container"]>): (id: pulumi.ID) => IdParts {
  return (whole) => {
    const [, holder, own] = /^(.+)\/([^/]+)$/.exec(whole) ?? [];
    if (holder && own) return holder.includes("://") ? { own, url: holder } : { own, id: holder };
    throw new pulumi.RunError(
      `${what} (get): an ID alone is not enough; expected "<${container.id}>/<ID>" or "<${container.url}>/<ID>", got "${whole}".`,
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
  // Outputs must be present, as undefined, to become Outputs of the instance; so must inputs that only the server knows.
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
    // The SDK creates a promise for every key, even with an undefined value, so rare keys are added only if needed.
    ...(isRead && { __external: true }),
    ...(options.customTimeouts && { __timeouts: options.customTimeouts }),
    ...(imported !== undefined && { __import: imported }),
    ...(options.replaceOnChanges?.length && { __replaceOnChanges: options.replaceOnChanges }),
    ...secretInputs(facts, args),
  };
}

/**
 * Internal inputs that change when a resource is moved, a stack is transferred or this package is updated. The engine hides
 * their differences; the provider keeps the other internal inputs from changing.
 */
const INTERNAL_INPUTS = ["__urn", "__organization", "__timeouts", "__import", "__provider"];

/** Returns the inputs that the program marks secret, so that previews hide them: the provider gets all values decrypted. */
function secretInputs(facts: KindFacts, args: pulumi.Inputs): { __secretInputs?: Promise<string[]> } {
  const open = Object.entries(args ?? {}).filter(([key, value]) => !facts.secrets.includes(key) && holdsOutput(value));
  if (open.length === 0) return {};
  const found = open.map(async ([key, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [key] : []));
  return { __secretInputs: Promise.all(found).then((keys) => keys.flat()) };
}

/** Whether a value contains an Output, which alone can be secret. */
function holdsOutput(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Promise) return false;
  return pulumi.Output.isInstance(value) || Object.values(value).some(holdsOutput);
}

/**
 * Resolves to the value of an Output that is always known, without its dependencies. A URN depends on the parent, and
 * depending on a component means waiting for all its children, so two of them would wait for each other forever.
 */
function plain<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value as T));
  });
}

/** Returns the name input: the declared name, or a default and a note that it is one, so that check keeps the previous name. */
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

/** Returns the organization. The engine always has one; mocks of a unit test may have none. */
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

/** @throws pulumi.RunError if Node is too old. */
export const assertNode = (): void => refuse(nodeProblem(process.versions.node));

/** @throws pulumi.RunError, of which only the message is shown, since the location in the program is irrelevant. */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new pulumi.RunError(problem);
}
