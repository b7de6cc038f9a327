/** The session of one kind of resource in one process: settings, clients, and the context of each call. */
import type { Clients } from "../api/clients";
import type { Context, ResourceLog } from "../definition/context";
import { type Definition, profileOf } from "../definition/definition";
import { ownershipMarker, stackUrnOf, WrongServerError } from "../definition/ownership";
import { createWait } from "../definition/wait";
import { type RecordedFacts, type ResourceData, SCHEMA } from "../plan/facts";
import type { PropertyMap } from "../schema/schema";
import { isSameServer } from "../settings/platforms";
import { SERVERS } from "../settings/servers";
import { describeMissing, type MissingSetting } from "../settings/setting-warnings";
import { credentialsIn, readSettings, type Settings, SettingsError } from "../settings/settings";
import { withLoggedSteps } from "../telemetry/logged-steps";
import { parseDuration } from "../text/format";
import type { Environment } from "./host/environment";
import type { OutgoingText } from "./host/log";
import type { KindRun } from "./run/run-state";

const NEWER_STATE =
  "This resource's state was written by a newer version of pulumi-agentgraph than the installed one. No " +
  "changes were made. Install that version or a later one.";

/** The engine does not pass the organization to the native provider. */
const OWNER_HINT =
  "\nownerId is not set, so a stack of the same name in another Pulumi organization has the same ownership " +
  "marker, and this may be its object. If so, set ownerId before the next `pulumi up`:  pulumi config set " +
  "agentgraph:ownerId <organization>  (with an explicit Provider: its argument ownerId)";

/** No other setting would help. */
class NewerStateError extends SettingsError {
  override readonly concernsStoredSettings: boolean = false;
}

export type Operation = "create" | "update" | "delete";

/** What a run says of the settings. */
export interface SettingReport {
  missing: readonly MissingSetting[];
  /** Probable mistakes. */
  texts: readonly string[];
  /** What comes from the platform's own tools. */
  borrowed: string | undefined;
}

export class ProviderSession {
  private readonly startedAt: number;
  readonly settings: Settings;
  private readonly ofKind: KindRun;
  private openedClients: Clients | undefined;

  constructor(
    config: (key: string) => unknown,
    private readonly definition: Definition,
    private readonly environment: Environment & { report: OutgoingText },
  ) {
    const { clock, report, run } = environment;
    this.ofKind = run.kind(definition.kind);
    this.startedAt = clock.monotonic();
    this.settings = readSettings(config);
    report.protect("", credentialsIn(this.settings));
  }

  /** Returns the context of one call. @throws SettingsError when a setting of every request is missing. */
  context(operation: Operation, { properties, facts }: ResourceData): Context {
    const { settings, startedAt, clients } = this;
    const { server, timeouts } = this.definition;
    const { clock, report, run } = this.environment;
    const hasEndpoint = this.endpointIn(properties) !== undefined;
    const missing = hasEndpoint ? [] : settings.missing[server];
    if (missing.length > 0) throw new SettingsError(describeMissing(missing));
    if (!hasEndpoint) clients.recallPath(server, facts.server?.path);
    const serverNow = () => (hasEndpoint ? clock.now() : clients.serverNow(server));
    const urn = facts.urn ?? "";
    const log: ResourceLog = {
      progress: (text) => report.show("progress", urn, text),
      warn: (text) => report.show("warn", urn, text),
      protect: (values) => report.protect(urn, values),
      redact: (text) => report.redact(urn, text),
      infoOnStack: (text) => report.show("info", stackUrnOf(urn), text),
    };
    const custom = parseDuration((facts.customTimeouts ?? facts.timeouts)?.[operation] ?? "");
    const timeoutMs = custom || (parseDuration(timeouts[operation]) ?? 0);
    return {
      clients,
      settings,
      clock,
      serverNow,
      urn,
      scope: run.scope,
      isManaged: (id) => this.ofKind.managedIds.has(id),
      runStartedAt: () => serverNow() - (clock.monotonic() - startedAt),
      marker: ownershipMarker(settings.ownerId ?? facts.organization ?? "organization", urn),
      ownerHint: settings.ownerMarker && (settings.ownerId ?? facts.organization) === undefined ? OWNER_HINT : "",
      recorded: {
        marker: facts.owner,
        profile: profileOf(facts.routes, settings.profile),
        notReturned: facts.notReturned,
        chosen: facts.chosen,
        secretInputs: facts.secretInputs,
      },
      // The lifecycle notes these; commands only read.
      noteExisting: () => undefined,
      moves: {
        of: (resource) => run.objects.moves.of(resource),
        from: (id) => run.objects.moves.from(id),
        originOf: (id) => run.objects.moves.originOf(id),
        noteOwn: (move) => run.objects.note({ ...move, urn, how: "moves" }),
      },
      record: () => undefined,
      waitUntil: createWait({
        clock,
        deadline: clock.monotonic() + timeoutMs,
        progress: log.progress,
        trace: run.trace,
      }),
      log,
      trace: withLoggedSteps(run.trace, clock, (step) => run.requests.addStep(step, settings)),
    };
  }

  /** Returns warnings about missing settings of this server and probable mistakes. */
  warnings(inputs: PropertyMap): SettingReport {
    if (this.endpointIn(inputs) !== undefined) return { missing: [], texts: [], borrowed: undefined };
    const { server } = this.definition;
    const { warnings, missing, borrowed } = this.settings;
    const ofServer = warnings.filter((warning) => (warning.server ?? server) === server);
    return { missing: missing[server], texts: ofServer.map(({ text }) => text), borrowed };
  }

  /** Returns the server to record in state, so that later runs detect changed settings. A URL in the inputs decides. */
  server(outputs: PropertyMap): RecordedFacts["server"] {
    if (this.endpointIn(outputs) !== undefined) return undefined;
    const tenant = outputs.tenantId ? String(outputs.tenantId) : this.settings.tenantId;
    const path = this.openedClients?.pathOf(this.definition.server);
    return {
      origin: this.url?.origin ?? "",
      ...(tenant !== undefined && { tenant }),
      ...(path !== undefined && { path }),
    };
  }

  /** The clients, and with them undici, are loaded with the first call that sends requests. */
  private get clients(): Clients {
    const { run, clock } = this.environment;
    this.openedClients ??= run.clients(this.settings, clock);
    return this.openedClients;
  }

  /** The URL of the server that hosts this kind. */
  private get url(): URL | undefined {
    return this.settings[SERVERS[this.definition.server]];
  }

  /** Returns the URL of a server given in the inputs; then no setting is required or compared. */
  private endpointIn(inputs: PropertyMap): string | undefined {
    const url = inputs[this.definition.schema.container?.url ?? ""];
    // A program can declare an object, which has failed its check, and of which String() may throw.
    return url === undefined ? undefined : typeof url === "object" ? "" : String(url);
  }

  /** Compares the server in state with the settings, as far as they are present. @throws WrongServerError. */
  assertSameServer({ properties, facts }: ResourceData): void {
    if ((facts.schema ?? SCHEMA) > SCHEMA) throw new NewerStateError(NEWER_STATE);
    const stored = facts.server;
    const { url } = this;
    const { tenantId, allowServerChange } = this.settings;
    if (!stored || allowServerChange || this.endpointIn(properties) !== undefined) return;
    if (url && stored.origin !== "" && !isSameServer(stored.origin, url.origin)) {
      const setting = this.settings.sources.url ? "url" : SERVERS[this.definition.server];
      throw new WrongServerError(`at ${stored.origin}`, `${setting} is ${url.origin}`);
    }
    if (tenantId !== undefined && stored.tenant && stored.tenant.toLowerCase() !== tenantId.toLowerCase()) {
      throw new WrongServerError(`in workspace ${stored.tenant}`, `tenantId is ${tenantId}`);
    }
  }

  /** The same before requests, also for a workspace that only the API key names. @throws WrongServerError. */
  async verifyServer(before: ResourceData): Promise<void> {
    this.assertSameServer(before);
    const { tenantId, allowServerChange } = this.settings;
    const stored = before.facts.server?.tenant;
    if (this.definition.server !== "tracing" || tenantId !== undefined || allowServerChange || !stored) return;
    await this.clients.workspaces.require();
    const found = this.clients.tenantId;
    if (found?.toLowerCase() !== stored.toLowerCase())
      throw new WrongServerError(`in workspace ${stored}`, `the API key belongs to workspace ${found}`);
  }
}
