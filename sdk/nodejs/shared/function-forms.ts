/** Both forms of a function: one returns a Promise; the other accepts Inputs and returns an Output. */
import * as pulumi from "@pulumi/pulumi";
import type { FunctionMetadata, LookupOptions, LookupOutputOptions } from "../function-types";
import { type Functions, metadata } from "../functions";
import { whenCreated } from "./outputs";

/** Runs a function in this process or in the provider. */
export interface FunctionRunner<Settings> {
  /** Returns the settings for the plain form. @throws pulumi.RunError if they are unknown in this preview. */
  knownSettingsOf(options: LookupOptions): Promise<Settings>;
  /** Returns the settings for the Output form, which waits until they are known. */
  settingsOf(options: LookupOptions): pulumi.Input<Settings>;
  run(args: object, options: LookupOptions, settings: Settings): Promise<unknown>;
}

/** Creates both forms. Their types are in the generated functions.ts. */
export function defineForms<Name extends keyof Functions, Settings>(
  name: Name,
  runner: FunctionRunner<Settings>,
): Functions[Name] {
  const { publicFields }: FunctionMetadata = metadata[name];
  const promiseForm = async (args: object = {}, options: LookupOptions = {}) => {
    checkOptions(name, options, OPTIONS);
    return runner.run(args, options, await runner.knownSettingsOf(options));
  };
  const outputForm = (args: pulumi.Input<object> = {}, { dependsOn, ...options }: LookupOutputOptions = {}) => {
    checkOptions(name, options, OPTIONS);
    const inputs = pulumi.output(args);
    const settings = runner.settingsOf(options);
    const output = pulumi.all([inputs, settings, whenCreated(inputs, dependsOn)]).apply(async ([values, known]) => {
      const request: { withSecrets?: boolean } = publicFields ? { ...values, withSecrets: true } : values;
      const result = await runner.run(request, options, known as Settings);
      return !publicFields && request.withSecrets ? pulumi.secret(result) : result;
    });
    return publicFields ? markSecret(output, publicFields) : output;
  };
  return [promiseForm, outputForm] as unknown as Functions[Name];
}

/** Options of Pulumi's own functions; the last three have no effect here. */
const OPTIONS = ["provider", "parent", "version", "pluginDownloadURL", "async"];

/**
 * Rejects unknown options: JavaScript has no other check, and a misspelled option would query the wrong workspace.
 * @throws pulumi.RunError
 */
function checkOptions(name: string, options: object, supported: readonly string[]): void {
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = present.map(([key]) => key).find((key) => !supported.includes(key));
  if (unknown === "dependsOn") {
    throw new pulumi.RunError(`${name}: the option dependsOn is supported only by ${name}Output.`);
  }
  if (unknown)
    throw new pulumi.RunError(`${name}: unknown option "${unknown}"; expected provider, parent or dependsOn.`);
}

/** Marks a result as secret, except for its public fields. */
function markSecret(output: pulumi.Output<unknown>, publicFields: readonly string[]): pulumi.Output<unknown> {
  const secret = pulumi.secret(output);
  for (const key of publicFields) {
    Object.defineProperty(secret, key, {
      get: () => output.apply((fields) => (fields as Record<string, unknown>)[key]),
    });
  }
  return secret;
}
