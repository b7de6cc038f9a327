/** Handles the engine's calls for one kind of resource. */
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Definition } from "../provider/definition/definition";
import { parseUrn } from "../provider/definition/type-token";
import type { Difference, Handlers } from "../provider/engine/handlers";
import { withMarkedSecrets } from "../provider/engine/operations";
import { differingKeys } from "../provider/plan/diff";
import type { RequestFacts, ResourceData } from "../provider/plan/facts";
import { stableOutputs } from "../provider/plan/planned-outputs";
import { InitError } from "../provider/plan/property-values";
import { isSameBranch, type PropertyMap, valueAt } from "../provider/schema/schema";
import { PartialFailure } from "./errors";
import { outputsOfCreate, outputsOfUpdate } from "./planned-outputs";
import { formatPropertyPath } from "./property-path";
import {
  type DecodedProperties,
  decodeProperties,
  type SecretPath,
  toInputStruct,
  toResourceData,
  toStateStruct,
} from "./values";

type Autonaming = provider.CheckRequest.AutonamingOptions;
const { Mode } = provider.CheckRequest.AutonamingOptions;

export class ResourceCalls {
  constructor(
    private readonly definition: Definition,
    private readonly handlers: Handlers,
  ) {}

  async check(request: provider.CheckRequest): Promise<provider.CheckResponse> {
    const urn = request.getUrn();
    const olds = decodeProperties(request.getOlds());
    const news = decodeProperties(request.getNews());
    const { inputs, failures } = await this.handlers.check(
      toResourceData(olds, { urn }),
      this.withDefaultName(toResourceData(news, { urn }), request.getAutonaming()),
    );
    const response = new provider.CheckResponse();
    response.setInputs(toInputStruct(inputs, news.secretPaths));
    response.setFailuresList(
      [...reservedKeyFailures(news), ...this.nameFailures(inputs), ...failures].map(toCheckFailure),
    );
    return response;
  }

  async diff(request: provider.DiffRequest): Promise<provider.DiffResponse> {
    const facts = { urn: request.getUrn() };
    const olds = toResourceData(decodeProperties(request.getOlds()), facts);
    const ignoreChanges = request.getIgnorechangesList();
    const news = toResourceData(decodeProperties(request.getNews()), { ...facts, ignoreChanges });
    const difference = await this.handlers.diff(request.getId(), olds, news);
    return toDiffResponse(this.definition, difference, olds.properties, news.properties);
  }

  async create(request: provider.CreateRequest): Promise<provider.CreateResponse> {
    const inputs = decodeProperties(request.getProperties());
    const response = new provider.CreateResponse();
    if (request.getPreview()) {
      response.setProperties(this.plannedStruct(outputsOfCreate(this.definition, inputs.values), inputs.secretPaths));
      return response;
    }
    const facts = { urn: request.getUrn(), ...timeouts("create", request.getTimeout()) };
    const { id, outputs } = await keepingSecrets(inputs, this.handlers.create(toResourceData(inputs, facts)));
    response.setId(id);
    response.setProperties(toStateStruct(outputs, inputs.secretPaths));
    return response;
  }

  async read(request: provider.ReadRequest): Promise<provider.ReadResponse> {
    const state = decodeProperties(request.getProperties());
    const { secretPaths } = decodeProperties(request.getInputs());
    const facts = { urn: request.getUrn(), ...timeouts("update", request.getTimeout()) };
    const found = await this.handlers.read(request.getId(), toResourceData(state, facts));
    const response = new provider.ReadResponse();
    if (!found) return response;
    response.setId(found.id);
    response.setProperties(toStateStruct(found.outputs, state.secretPaths));
    response.setInputs(toInputStruct(found.inputs, secretPaths));
    return response;
  }

  async update(request: provider.UpdateRequest): Promise<provider.UpdateResponse> {
    const olds = decodeProperties(request.getOlds());
    const news = decodeProperties(request.getNews());
    const response = new provider.UpdateResponse();
    const facts = { urn: request.getUrn(), ...timeouts("update", request.getTimeout()) };
    const before = toResourceData(olds, facts);
    const declared = toResourceData(news, { ...facts, ignoreChanges: request.getIgnorechangesList() });
    if (request.getPreview()) {
      const plan = await this.handlers.plan(before, declared);
      const outputs = outputsOfUpdate(this.definition, before.properties, declared.properties, plan);
      const ofOutputs = olds.secretPaths.filter(({ keys: [key = ""] }) => !(key in news.values));
      response.setProperties(this.plannedStruct(outputs, [...news.secretPaths, ...ofOutputs]));
      return response;
    }
    const outputs = await keepingSecrets(news, this.handlers.update(request.getId(), before, declared));
    response.setProperties(toStateStruct(outputs, news.secretPaths));
    return response;
  }

  async delete(request: provider.DeleteRequest): Promise<void> {
    const state = decodeProperties(request.getProperties());
    const facts = { urn: request.getUrn(), ...timeouts("delete", request.getTimeout()) };
    await this.handlers.delete(request.getId(), toResourceData(state, facts));
  }

  private plannedStruct(outputs: PropertyMap, secretPaths: readonly SecretPath[]): Struct {
    const marked = secretPaths.map(({ keys }) => keys.join("."));
    return toStateStruct({ properties: withMarkedSecrets(this.definition, outputs, marked), facts: {} }, secretPaths);
  }

  /**
   * Adds a default name if the program declares none, and says so, for check to keep the one in state.
   * @param autonaming The configuration `pulumi:autonaming` of the stack, if it has one for this resource.
   */
  private withDefaultName({ properties, facts }: ResourceData, autonaming?: Autonaming): ResourceData {
    const nameInput = this.definition.schema.nameInput;
    if (nameInput === undefined || properties[nameInput] != null) return { properties, facts };
    if (autonaming?.getMode() === Mode.DISABLE) return { properties, facts };
    const defaultName = autonaming?.getProposedName() || parseUrn(facts.urn ?? "").name;
    return { properties: { ...properties, [nameInput]: defaultName }, facts: { ...facts, defaultName } };
  }

  /** Explains why a name is missing: only a stack that disables default names can lack one. */
  private nameFailures({ properties }: ResourceData): { property: string; reason: string }[] {
    const { nameInput, namingInput } = this.definition.schema;
    const isNamed = namingInput !== undefined && properties[namingInput.input] != null;
    if (nameInput === undefined || properties[nameInput] != null || isNamed) return [];
    const reason =
      `${nameInput} has no default, because the stack configuration pulumi:autonaming disables default names. ` +
      "Set it in the program.";
    return [{ property: "", reason }];
  }
}

/** Returns the timeout of the request: 0 means that the program sets none. */
const timeouts = (operation: "create" | "update" | "delete", seconds: number): RequestFacts =>
  seconds > 0 ? { customTimeouts: { [operation]: `${seconds}s` } } : {};

/** Passes on a partial state with the secrets to keep secret in it. */
async function keepingSecrets<T>({ secretPaths }: DecodedProperties, result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw error instanceof InitError ? new PartialFailure(error, secretPaths) : error;
  });
}

/** Keys that begin with `__` are reserved, so an input of such a name would have no effect. */
const reservedKeyFailures = ({ values }: DecodedProperties) =>
  Object.keys(values)
    .filter((key) => key.startsWith("__"))
    .map((key) => ({ property: "", reason: `${key} is not a known field.` }));

function toCheckFailure({ property, reason }: { property: string; reason: string }): provider.CheckFailure {
  const failure = new provider.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

function toDiffResponse(
  definition: Definition,
  { changes, paths, replace, mayReplace }: Difference,
  before: PropertyMap,
  after: PropertyMap,
): provider.DiffResponse {
  const response = new provider.DiffResponse();
  const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
  response.setChanges(changes.length === 0 ? DIFF_NONE : DIFF_SOME);
  if (changes.length === 0) return response;
  // Names are unique, so the old object is deleted first, also when a resource option causes the replacement; unless
  // the new one receives what it contains.
  response.setDeletebeforereplace(!replace?.kept?.createsFirst);
  if (replace) response.setReplacesList(replace.paths.length > 0 ? topLevel(replace.paths) : ["id"]);
  else response.setStablesList(["id", ...stableOutputs(definition, paths, mayReplace)]);
  response.setDiffsList(topLevel(paths));
  response.setHasdetaileddiff(paths.length > 0);
  for (const path of paths) {
    const isCause = replace?.paths.some((cause) => isSameBranch(path, cause)) ?? false;
    // With the items of lists, so that the engine finds those that `replaceOnChanges` names.
    for (const keys of differingKeys(path, before, after)) {
      const detail = new provider.PropertyDiff();
      detail.setKind(kindOf(valueAt(before, keys), valueAt(after, keys), isCause));
      response.getDetaileddiffMap().set(formatPropertyPath(keys), detail);
    }
  }
  return response;
}

const topLevel = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split(".", 1)[0] as string))];

function kindOf(before: unknown, after: unknown, isCause: boolean): provider.PropertyDiff.Kind {
  const kinds = provider.PropertyDiff.Kind;
  if (before == null) return isCause ? kinds.ADD_REPLACE : kinds.ADD;
  if (after == null) return isCause ? kinds.DELETE_REPLACE : kinds.DELETE;
  return isCause ? kinds.UPDATE_REPLACE : kinds.UPDATE;
}
