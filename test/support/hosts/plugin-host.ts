/**
 * The handlers of the native plugin over gRPC, in the form of those of the host of dynamic resources, so that a test
 * runs through both. What differs by design:
 *
 * - The engine passes the URN, customTimeouts and secrets with each request, so neither inputs nor state contain them
 *   as internal properties. A URN has the type token `agentgraph:index:<Kind>`.
 * - No request contains the Pulumi organization, so the setting `ownerId` replaces it in ownership markers.
 * - The engine performs the resource options `import` and `replaceOnChanges` itself.
 * - An error is a text: its class does not cross the process boundary.
 */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Definition } from "../../../provider/definition/definition";
import { dynamicToken, nativeToken } from "../../../provider/definition/type-token";
import type { Lifecycle } from "../../../provider/engine/host/dynamic";
import type { Report } from "../../../provider/engine/host/log";
import { withMarkedSecrets } from "../../../provider/engine/operations";
import type { RunState } from "../../../provider/engine/run/run-state";
import type { Clock } from "../../../provider/http/clock";
import { inputsOf } from "../../../provider/plan/diff";
import { splitFacts } from "../../../provider/plan/facts";
import { markSecrets } from "../../../provider/plan/property-values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { parseDuration } from "../../../provider/text/format";
import { UserError } from "../../../provider/text/user-error";
import { type CallError, fromStruct, PluginClient, partialStateOf, toStruct } from "./plugin-client";

export interface PluginHostOptions {
  definition: Definition;
  clock: Clock;
  report: Report;
  /** The resource's URN where the properties of a call do not contain one. */
  urn: string;
  organization: string;
  settings: PropertyMap;
  /** Shared with other processes of the run (default: the run has no other). */
  run?: RunState | undefined;
}

/** What the engine passes beside the properties. */
const REQUEST_KEYS: readonly string[] = [
  ...["__provider", "__urn", "__organization", "__timeouts", "__secretInputs", "__ignoreChanges"],
];

const toPluginUrn = (urn: string): string => urn.replace(dynamicToken(""), nativeToken(""));

export function pluginHost(options: PluginHostOptions): Lifecycle {
  const { definition, clock, report, urn, organization, settings, run } = options;
  const started = PluginClient.start(clock, report, run).then(async (plugin) => {
    await plugin.configure({ ownerId: organization, ...settings });
    return plugin;
  });
  const call: PluginClient["call"] = async (name, request) => {
    const plugin = await started;
    return plugin.call(name, request).catch((error: CallError) => {
      throw toHandlerError(error);
    });
  };
  const urnOf = (properties?: PropertyMap) => toPluginUrn(splitFacts(properties ?? {}).facts.urn ?? urn);
  const encode = (properties: PropertyMap) => {
    const { secretInputs = [] } = splitFacts(properties).facts;
    return toStruct(withMarkedSecrets(definition, markSecrets(withoutRequestKeys(properties), secretInputs)));
  };
  return {
    configure: async () => {},
    check: async (olds, news) => {
      const request = new messages.CheckRequest().setUrn(urnOf(news)).setOlds(encode(olds)).setNews(encode(news));
      const response = await call("check", request);
      const failures = response.getFailuresList().map((one) => one.toObject());
      return { inputs: { ...fromStruct(response.getInputs()), ...requestKeysOf(news) }, failures };
    },
    diff: async (id, olds, news) => {
      const request = new messages.DiffRequest()
        .setId(id)
        .setUrn(urnOf(news))
        .setOlds(encode(olds))
        .setNews(encode(news))
        .setIgnorechangesList([...(splitFacts(news).facts.ignoreChanges ?? [])]);
      const response = await call("diff", request);
      return {
        changes: response.getChanges() !== messages.DiffResponse.DiffChanges.DIFF_NONE,
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
      };
    },
    create: async (inputs) => {
      const request = new messages.CreateRequest().setUrn(urnOf(inputs)).setProperties(encode(inputs));
      request.setTimeout(timeoutOf("create", inputs));
      const response = await call("create", request);
      return { id: response.getId(), outs: fromStruct(response.getProperties()) };
    },
    read: async (id, properties = {}) => {
      const request = new messages.ReadRequest().setId(id).setUrn(urnOf(properties)).setProperties(encode(properties));
      request.setInputs(encode(inputsOf(definition, withoutRequestKeys(properties))));
      const response = await call("read", request);
      if (response.getId() === "") return {};
      const inputs = { ...fromStruct(response.getInputs()), ...requestKeysOf(properties) };
      return { id: response.getId(), props: fromStruct(response.getProperties()), inputs };
    },
    update: async (id, olds, news) => {
      const request = new messages.UpdateRequest()
        .setId(id)
        .setUrn(urnOf(news))
        .setOlds(encode(olds))
        .setNews(encode(news))
        .setIgnorechangesList([...(splitFacts(news).facts.ignoreChanges ?? [])]);
      request.setTimeout(timeoutOf("update", news));
      const response = await call("update", request);
      return { outs: fromStruct(response.getProperties()) };
    },
    delete: async (id, properties) => {
      const request = new messages.DeleteRequest().setId(id).setUrn(urnOf(properties));
      request.setProperties(encode(properties)).setTimeout(timeoutOf("delete", properties));
      await call("delete", request);
    },
  };
}

const isRequestKey = (key: string) => REQUEST_KEYS.includes(key);
const pick = (properties: PropertyMap, isIncluded: (key: string) => boolean): PropertyMap =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => isIncluded(key)));
const withoutRequestKeys = (properties: PropertyMap) => pick(properties, (key) => !isRequestKey(key));
const requestKeysOf = (properties: PropertyMap) => pick(properties, isRequestKey);

function timeoutOf(operation: "create" | "update" | "delete", properties: PropertyMap): number {
  return (parseDuration(splitFacts(properties).facts.timeouts?.[operation] ?? "") ?? 0) / 1000;
}

/** Returns the error that the handlers throw for a response. */
function toHandlerError(error: CallError): Error {
  const state = partialStateOf(error);
  if (!state) return new UserError(error.details);
  return Object.assign(new Error(error.details), { name: "InitError", ...state });
}
