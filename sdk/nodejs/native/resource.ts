/** Creates resource classes of the native provider: the same types as the dynamic resources, without code in state. */
import * as pulumi from "@pulumi/pulumi";
import { dynamicToken, nativeToken } from "../../../provider/definition/type-token";
import { VERSION } from "../../../provider/text/version";
import type { ResourceMetadata } from "../resource-types";
import { BaseResource } from "../shared/base-resource";
import { warnOfIgnoredPaths } from "../shared/ignored-paths";
import { toSupportedInputs } from "../shared/map-keys";

/** Creates the class of a kind of resource. Its type is in the generated resources.ts. */
export function defineClass<Class>(kind: string, metadata: ResourceMetadata): Class {
  const { inputs, outputs, secrets, nameFrom, idProperty } = metadata;
  const token = nativeToken(kind);
  const resourceClass = class extends BaseResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}) {
      return new resourceClass(name, {}, { ...options, id });
    }

    static override isInstance(value: unknown): value is pulumi.CustomResource {
      return pulumi.CustomResource.isInstance(value) && Reflect.get(value, "__pulumiType") === token;
    }

    constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
      // Outputs must be present, as undefined, to become Outputs of the instance; so must inputs that only the server
      // knows, and those that the provider chooses.
      const chosen = [nameFrom, idProperty].filter((key) => key !== undefined);
      const unset = [...(options.id === undefined ? chosen : inputs), ...outputs];
      const makeProperties = () => ({
        ...Object.fromEntries(unset.map((key) => [key, undefined])),
        ...toSupportedInputs(`${kind} "${name}"`, args),
      });
      super({ kind, token }, name, makeProperties, {
        ...options,
        // As the generated SDKs do: without it, the engine would start another provider for a program that also uses
        // one.
        version: options.version ?? VERSION,
        // Continues the state of the dynamic resource of the same name.
        aliases: [...(options.aliases ?? []), { type: dynamicToken(kind) }],
        additionalSecretOutputs: [...secrets, ...(options.additionalSecretOutputs ?? [])],
      });
      this.addUndeclared(inputs);
      warnOfIgnoredPaths(this, `${kind} "${name}"`, metadata, options.ignoreChanges);
    }
  };
  Object.defineProperty(resourceClass, "name", { value: kind });
  return resourceClass as unknown as Class;
}
