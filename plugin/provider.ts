/** One provider of the program: its settings, and the handlers of each kind of resource. */
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { Definition } from "../provider/definition/definition";
import { nativeToken, parseUrn } from "../provider/definition/type-token";
import { definitions } from "../provider/definitions";
import type { Report } from "../provider/engine/host/log";
import { createHandlers } from "../provider/engine/lifecycle";
import type { RunState } from "../provider/engine/run/run-state";
import { type Clock, realClock } from "../provider/http/clock";
import { readSettings, SettingsError } from "../provider/settings/settings";
import { isSecretSetting, settingKeys } from "../provider/settings/settings-schema";
import { CancelableClock } from "./cancelable-clock";
import type { RequestFailures } from "./component/failures";
import { InvalidRequestError, OTHER_VERSION } from "./errors";
import { ResourceCalls } from "./resource";
import { type Config, configOf, settingKeyIssues } from "./settings";
import { decodeProperties, encodeProperties } from "./values";

const NOT_CONFIGURED = "The provider was called before it was configured.";

/** What a provider needs of the engine that calls it. */
export interface EngineConnection {
  /** Where it listens; absent in a plugin that nothing has started or attached to. */
  readonly address?: string | undefined;
  report: Report;
  /** Returns what a new run of this engine remembers. */
  startRun(): RunState;
}

export class AgentgraphProvider {
  /** The settings, once the provider is configured. */
  private config?: Config;
  /** How the engine refers to this provider, for the resources of a component. */
  private reference?: string;
  private clock: CancelableClock;
  private run: RunState;
  private readonly callsByToken = new Map<string, ResourceCalls>();

  /** @param failures What no caller of a component awaits, in this process. */
  constructor(
    private engine: EngineConnection,
    private readonly time: Clock = realClock,
    private readonly failures?: RequestFailures,
  ) {
    this.clock = new CancelableClock(time);
    this.run = engine.startRun();
  }

  /** Serves another engine: one that did not start this process, such as the engine of a run in a debugger. */
  attach(engine: EngineConnection): void {
    this.engine = engine;
    this.startRun();
  }

  /** The connections of the run before would stay open: a plugin to which engines attach serves several. */
  private startRun(): void {
    void this.run.close();
    this.run = this.engine.startRun();
  }

  private get report(): Report {
    return this.engine.report;
  }

  /** The engine only checks settings of a program that runs; those from state were checked before. */
  async checkConfig(request: provider.CheckRequest): Promise<provider.CheckResponse> {
    this.run.isProgramRunning = true;
    const urn = request.getUrn();
    const news = decodeProperties(request.getNews());
    const response = new provider.CheckResponse();
    const secrets = settingKeys.filter((key) => key in news.values && isSecretSetting(key));
    response.setInputs(
      encodeProperties(news.values, [...news.secretPaths, ...secrets.map((key) => ({ keys: [key] }))]),
    );
    // A failure names no property, because the engine prints the value of a named one, such as a misspelled API key.
    const fail = (reason: string) => response.addFailures(new provider.CheckFailure().setReason(reason));
    for (const { severity, text } of settingKeyIssues(news.values, urn)) {
      if (severity === "error") fail(text);
      else this.report.show("warn", urn, text);
    }
    try {
      readSettings(configOf(request.getNews(), parseUrn(urn).name));
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      fail(error.message);
    }
    await this.report.flush();
    return response;
  }

  /** Changed settings never replace a provider, which would replace its resources. */
  diffConfig(request: provider.DiffRequest): provider.DiffResponse {
    // A received struct lists its keys in alphabetical order.
    const [before, after] = [request.getOldInputs() ?? request.getOlds(), request.getNews()].map((struct) =>
      JSON.stringify(decodeProperties(struct).values),
    );
    const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
    const response = new provider.DiffResponse();
    response.setChanges(before === after ? DIFF_NONE : DIFF_SOME);
    return response;
  }

  /** Begins a run. Prepares all kinds at once: what exists now was not created by the run. */
  configure(request: provider.ConfigureRequest): provider.ConfigureResponse {
    const config = configOf(request.getArgs(), request.getName() || parseUrn(request.getUrn() ?? "").name);
    this.config = config;
    const [urn, id] = [request.getUrn(), request.getId()];
    if (urn && id) this.reference = `${urn}::${id}`;
    this.clock = new CancelableClock(this.time);
    const { isProgramRunning } = this.run;
    this.startRun();
    // The engine checks the settings before.
    this.run.isProgramRunning = isProgramRunning;
    for (const definition of definitions)
      this.callsByToken.set(nativeToken(definition.kind), this.callsOf(definition, config));
    const response = new provider.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setAcceptoutputs(true);
    response.setSupportspreview(true);
    response.setSupportsAutonamingConfiguration(true);
    return response;
  }

  /** Returns the calls about the resource of a URN. @throws InvalidRequestError for a type that this provider lacks. */
  resource(urn: string): ResourceCalls {
    const { type: token } = parseUrn(urn);
    if (!definitions.some(({ kind }) => nativeToken(kind) === token)) throw unknownType(token);
    const calls = this.callsByToken.get(token);
    if (!calls) throw new InvalidRequestError(NOT_CONFIGURED);
    return calls;
  }

  invoke(request: provider.InvokeRequest): Promise<provider.InvokeResponse> {
    if (!this.config) throw new InvalidRequestError(NOT_CONFIGURED);
    // Loaded on demand: undici is slow to load, and most programs call no function.
    const { callFunction } = require("./functions") as typeof import("./functions");
    return callFunction(request, this.config, { clock: this.clock, run: this.run, report: this.report });
  }

  /** Lists what exists of a kind. @param send Sends one response. Returns whether the caller still reads them. */
  list(request: provider.ListRequest, send: (response: provider.ListResponse) => boolean): Promise<void> {
    const token = request.getToken();
    const definition = definitions.find(({ kind }) => nativeToken(kind) === token);
    if (!definition) throw unknownType(token);
    if (!this.config) throw new InvalidRequestError(NOT_CONFIGURED);
    const { listObjects } = require("./list") as typeof import("./list");
    const { config, clock, run, report } = this;
    return listObjects(definition, request, { config, clock, run, report }, send);
  }

  /** Creates a component with its resources. */
  construct(request: provider.ConstructRequest): Promise<provider.ConstructResponse> {
    const { address } = this.engine;
    if (address === undefined) throw new InvalidRequestError(NOT_CONFIGURED);
    // Loaded on demand: most programs have no component.
    const { construct } = require("./component/construct") as typeof import("./component/construct");
    const run = () => construct(request, { address, provider: this.reference });
    return this.failures?.of(run) ?? run();
  }

  /** Ends all waits, so that the engine can save what exists. */
  cancel(): void {
    this.clock.cancel();
  }

  private callsOf(definition: Definition, config: Config): ResourceCalls {
    const handlers = createHandlers(definition, { clock: this.clock, report: this.report, run: this.run });
    handlers.configure(config);
    return new ResourceCalls(definition, handlers);
  }
}

const unknownType = (token: string) =>
  new InvalidRequestError(`The provider agentgraph has no resource type "${token}". ${OTHER_VERSION}`);
