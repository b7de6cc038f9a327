/** Creates resource classes: type token, stub in state, internal inputs, and options that prevent data loss. */
import * as pulumi from "@pulumi/pulumi";
import { dynamicToken, nativeToken } from "../../provider/definition/type-token";
import { type ContainedId, describeContainedId, splitContainedId } from "../../provider/text/container-id";
import { nodeProblem, packageProblem } from "./preflight";
import { checkSettings } from "./program-settings";
import type { ResourceMetadata } from "./resource-types";
import { BaseResource } from "./shared/base-resource";
import { warnOfIgnoredPaths } from "./shared/ignored-paths";
import { toSupportedInputs } from "./shared/map-keys";
import { mocksInUse } from "./shared/mocks";
import { stubOf } from "./stub";

/** Creates the class of a kind of resource. Its type is in the generated resources.ts. */
export function defineClass<Class>(kind: string, metadata: ResourceMetadata): Class {
  const resourceClass = class extends BaseResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}) {
      const { container } = metadata;
      if (!container) return new resourceClass(name, {}, { ...options, id });
      const parseId = createIdParser(`${kind} "${name}"`, container);
      // An invalid string fails at its line in the program.
      const parts = typeof id === "string" ? pulumi.output(parseId(id)) : pulumi.output(id).apply(parseId);
      const args = { [container.id]: parts.apply(({ id }) => id), [container.url]: parts.apply(({ url }) => url) };
      return new resourceClass(name, args, { ...options, id: parts.apply(({ own }) => own) });
    }

    static override isInstance(value: unknown): value is pulumi.CustomResource {
      return pulumi.CustomResource.isInstance(value) && Reflect.get(value, "__pulumiType") === dynamicToken(kind);
    }

    constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
      // A unit test may run in any folder.
      if (!mocksInUse()) assertInstalled();
      checkSettings();
      const { import: _, ...rest } = options;
      // With "*", the engine would remove the internal input that contains the option.
      const ignoreChanges = (options.ignoreChanges ?? []).flatMap((path) => (path === "*" ? metadata.inputs : [path]));
      const named = { ...options, ignoreChanges };
      super({ kind, token: dynamicToken(kind) }, name, () => properties({ kind, metadata }, name, args, named), {
        ...rest,
        ...(options.ignoreChanges && { ignoreChanges }),
        // Continues the state of the native resource of the same name.
        aliases: [...(options.aliases ?? []), { type: nativeToken(kind) }],
        hideDiffs: [...INTERNAL_INPUTS, ...(options.hideDiffs ?? [])],
        additionalSecretOutputs: [...metadata.secrets, ...(options.additionalSecretOutputs ?? [])],
      });
      this.addUndeclared(metadata.inputs);
      warnOfIgnoredPaths(this, `${kind} "${name}"`, metadata, options.ignoreChanges);
      // The engine knows the ID in previews of updates, but not what the provider adds.
      const { idProperty } = metadata;
      if (idProperty !== undefined && args?.[idProperty] == null) Object.assign(this, { [idProperty]: this.id });
    }
  };
  Object.defineProperty(resourceClass, "name", { value: kind });
  return resourceClass as unknown as Class;
}

/** Splits `<deployment ID>/<ID>` and `<URL>/<ID>`. */
function createIdParser(
  what: string,
  container: NonNullable<ResourceMetadata["container"]>,
): (id: pulumi.ID) => ContainedId {
  return (whole) => {
    const parts = splitContainedId(whole);
    if (parts) return parts;
    throw new pulumi.RunError(`${what} (get): ${describeContainedId(whole, container)}`);
  };
}

function properties(
  { kind, metadata }: { kind: string; metadata: ResourceMetadata },
  name: string,
  args: pulumi.Inputs,
  options: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  const isExternal = options.id !== undefined;
  const properties: pulumi.Inputs = toSupportedInputs(`${kind} "${name}"`, args);
  // Outputs must be present, as undefined, to become Outputs of the instance; so must inputs that only the server
  // knows.
  for (const output of metadata.outputs) properties[output] = undefined;
  if (isExternal) for (const input of metadata.inputs) properties[input] ??= undefined;
  else if (metadata.nameFrom) Object.assign(properties, nameInput(metadata.nameFrom, args?.[metadata.nameFrom], name));
  return {
    ...properties,
    __provider: stubOf(kind),
    __urn: promiseOf(pulumi.createUrn(name, dynamicToken(kind), options.parent)),
    __organization: organization(),
    // The SDK creates a promise for every key, even with an undefined value, so rare keys are added only if needed.
    ...(isExternal && { __external: true }),
    ...(options.customTimeouts && { __timeouts: options.customTimeouts }),
    ...(options.import !== undefined && { __import: options.import }),
    ...(options.replaceOnChanges?.length && { __replaceOnChanges: options.replaceOnChanges }),
    ...(options.ignoreChanges?.length && { __ignoreChanges: options.ignoreChanges }),
    ...secretInputs(metadata, args),
    ...(pulumi.runtime.isDryRun() && sources(args)),
  };
}

/**
 * Internal inputs that change when a resource is moved, a stack is transferred or this package is updated. The engine
 * hides their differences; the provider keeps the other internal inputs from changing.
 */
const INTERNAL_INPUTS = ["__urn", "__organization", "__timeouts", "__import", "__provider"];

/**
 * Returns the paths of the inputs that the program marks secret, so that previews and errors hide them: the provider
 * gets all values decrypted.
 */
function secretInputs(metadata: ResourceMetadata, args: pulumi.Inputs): { __secretInputs?: Promise<string[]> } {
  const outputs = Object.entries(args ?? {}).flatMap(([key, value]) =>
    metadata.secrets.includes(key) ? [] : outputsIn(value, key),
  );
  if (outputs.length === 0) return {};
  const secretPaths = outputs.map(async ([path, output]) => ((await pulumi.isSecret(output)) ? [path] : []));
  return { __secretInputs: Promise.all(secretPaths).then((paths) => [...new Set(paths.flat())]) };
}

/** Returns the Outputs in a value, which alone can be secret, with their paths. */
function outputsIn(value: unknown, path: string): [path: string, output: pulumi.Output<unknown>][] {
  // A resource stands for its ID, and leads to its parent, and from there to everything.
  if (typeof value !== "object" || value === null || pulumi.Resource.isInstance(value)) return [];
  if (value instanceof Promise || pulumi.Output.isInstance(value)) return [[path, pulumi.output(value)]];
  return Object.entries(value).flatMap(([key, part]) => outputsIn(part, `${path}.${key}`));
}

/** What each Output has besides its public type. */
interface OutputInternals {
  allResources?(): Promise<Set<pulumi.Resource>>;
}

/**
 * Returns the URN of the resource that each input is an output of, empty for several: the engine passes the same
 * unknown for all outputs.
 */
function sources(args: pulumi.Inputs): { __sources?: Promise<Record<string, string>> } {
  const named = Object.entries(args ?? {}).flatMap(([key, value]: [string, OutputInternals | undefined]) => {
    const resources = pulumi.Output.isInstance(value) ? value.allResources?.() : undefined;
    return resources ? [resources.then(async (all) => [key, await onlyUrn([...all])] as const)] : [];
  });
  return named.length === 0 ? {} : { __sources: Promise.all(named).then((entries) => Object.fromEntries(entries)) };
}

const onlyUrn = ([first, second]: pulumi.Resource[]): Promise<string> | string =>
  first === undefined || second !== undefined ? "" : promiseOf(first.urn);

/**
 * Resolves to the value of an Output that is always known, without its dependencies. A URN depends on the parent, and
 * depending on a component means waiting for all its children, so two of them would wait for each other forever.
 */
function promiseOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply((value) => resolve(value as T));
  });
}

/**
 * Returns the name input: the declared name, or the resource's name and a note that it is a default, so that check
 * keeps the previous name.
 */
function nameInput(key: string, declared: pulumi.Input<string | null | undefined>, defaultName: string): pulumi.Inputs {
  if (typeof declared === "string") return {};
  if (declared == null) return { [key]: defaultName, __defaultName: defaultName };
  const name = pulumi.output(declared);
  return {
    [key]: name.apply((text) => text ?? defaultName),
    __defaultName: name.apply((text) => (text == null ? defaultName : undefined)),
  };
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

let isInstalled = false;

function assertInstalled(): void {
  if (isInstalled) return;
  assertNode();
  throwProblem(packageProblem(process.cwd()));
  isInstalled = true;
}

/** @throws pulumi.RunError if Node is too old. */
export const assertNode = (): void => throwProblem(nodeProblem(process.versions.node));

/** @throws pulumi.RunError, of which only the message is shown, since the location in the program is irrelevant. */
function throwProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new pulumi.RunError(problem);
}
