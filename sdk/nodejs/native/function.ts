/** Functions of the native provider, which run in its process. */
import * as pulumi from "@pulumi/pulumi";
import { listPropertyOf, nativeToken } from "../../../provider/definition/type-token";
import { VERSION } from "../../../provider/text/version";
import type { FunctionMetadata } from "../function-types";
import { type Functions, metadata } from "../functions";
import { defineForms } from "../shared/function-forms";
import { callMock, mocksInUse } from "../shared/mocks";

/** Creates both forms of a function. */
export const defineFunction = <Name extends keyof Functions>(name: Name): Functions[Name] =>
  defineForms<Name, undefined>(name, {
    // The engine waits for the provider and its settings.
    knownSettingsOf: async () => undefined,
    settingsOf: () => undefined,
    run: async (args, options) => {
      const { isList = false }: FunctionMetadata = metadata[name];
      const mocks = mocksInUse();
      if (mocks) return callMock(mocks, { name, args, provider: options.provider, isList });
      const result = await invoke(name, args, options);
      return isList ? result[listPropertyOf(name)] : result;
    },
  });

/** @throws pulumi.RunError with the provider's message, of which the engine shows no stack trace. */
async function invoke(name: string, args: object, options: pulumi.InvokeOptions): Promise<Record<string, unknown>> {
  try {
    return await pulumi.runtime.invoke(
      nativeToken(name),
      { ...args },
      { ...options, version: options.version ?? VERSION },
    );
  } catch (error) {
    const [, message] = /returned an error: (.*)$/s.exec(error instanceof Error ? error.message : "") ?? [];
    throw message === undefined ? error : new pulumi.RunError(message);
  }
}
