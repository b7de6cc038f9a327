/** The session of one kind of resource in one process: settings, clients, and the context of each call. */
import type { Context, ResourceLog } from "../definition/context";
import type { Definition } from "../definition/definition";
import { ownershipMarker, stackUrnOf, WrongServerError } from "../definition/ownership";
import { createWait } from "../definition/wait";
import { type Facts, type RecordedFacts, SCHEMA } from "../plan/facts";
import { parseDuration } from "../schema/duration";
import type { PropertyMap } from "../schema/schema";
import { SERVERS, type ServerName } from "../settings/servers";
import { describeMissing, type MissingSetting } from "../settings/setting-warnings";
import { credentialsIn, readSettings, type Settings, SettingsError } from "../settings/settings";
import type { Environment } from "./host/environment";
import type { OutgoingText } from "./outgoing-text";
import type { KindRun } from "./run/run-state";

const NEWER_STATE =
  "This resource's state was written by a newer version of pulumi-agentgraph than the installed one. No changes were made. Install that version or a later one.";

/** The engine does not pass the organization to the native provider. */
const OWNER_HINT =
  "\nownerId is not set, so a stack of the same name in another Pulumi organization has the same ownership marker, and this may be its object. If so, set ownerId before the next `pulumi up`:  pulumi config set agentgraph:ownerId <organization>  (with an explicit Provider: its argument ownerId)";

/** No other setting would help. */
class NewerStateError extends SettingsError {
  override readonly concernsStoredSettings: boolean = false;
}

export type Operation = "create" | "update" | "delete";

export class ProviderSession {
  private readonly startedAt: number;
  readonly settings: Settings;
  private readonly serverName: ServerName;
  private readonly ofKind: KindRun;

  constructor(
    config: (key: string) => unknown,
    { kind, server }: Pick<Definition, "kind" | "server">,
    private readonly environment: Environment & { report: OutgoingText },
  ) {
    const { clock, report, run } = environment;
    this.serverName = server;
    this.ofKind = run.kind(kind);
    this.startedAt = clock.monotonic();
    this.settings = readSettings(config);
    report.protect("", credentialsIn(this.settings));
  }

  /**
   * Returns the context of one call. The first call loads the clients, and with them undici.
   * @param endpoint The URL of a server given in the inputs.
   * @throws SettingsError when a setting that every request of this kind needs is missing.
   */
  context(definition: Definition, facts: Facts, operation: Operation, endpoint?: string): Context {
    const { settings, startedAt, serverName } = this;
    const { clock, report, run } = this.environment;
    const missing = endpoint === undefined ? settings.missing[serverName] : [];
    if (missing.length > 0) throw new SettingsError(describeMissing(missing));
    const clients = run.clients(settings, clock);
    const serverNow = () => (endpoint === undefined ? clients.serverNow(serverName) : clock.now());
    const urn = facts.urn ?? "";
    const log = resourceLog(report, urn);
    const custom = parseDuration((facts.customTimeouts ?? facts.timeouts)?.[operation] ?? "");
    const timeoutMs = custom || (parseDuration(definition.timeouts[operation]) ?? 0);
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
      recorded: { marker: facts.owner, missingRoutes: facts.routes ?? [], notReturned: facts.notReturned },
      // The lifecycle notes these; commands only read.
      take: () => undefined,
      record: () => undefined,
      waitUntil: createWait({
        clock,
        deadline: clock.monotonic() + timeoutMs,
        progress: log.progress,
        trace: run.trace,
      }),
      log,
      trace: run.trace,
    };
  }

  /** Returns warnings about missing settings of this server and probable mistakes. */
  warnings(endpoint?: string): { missing: readonly MissingSetting[]; texts: readonly string[] } {
    if (endpoint !== undefined) return { missing: [], texts: [] };
    const { warnings } = this.settings;
    const texts = warnings
      .filter(({ server }) => (server ?? this.serverName) === this.serverName)
      .map(({ text }) => text);
    return { missing: this.settings.missing[this.serverName], texts };
  }

  /** Returns the server to record in state, so that later runs detect changed settings. */
  server(state: PropertyMap, endpoint?: string): NonNullable<RecordedFacts["server"]> {
    if (endpoint !== undefined) return { origin: new URL(endpoint).origin };
    const tenant = state.tenantId ? String(state.tenantId) : this.settings.tenantId;
    return { origin: this.url?.origin ?? "", ...(tenant !== undefined && { tenant }) };
  }

  /** The URL of the server that hosts this kind. */
  private get url(): URL | undefined {
    return this.settings[SERVERS[this.serverName][0]];
  }

  /**
   * Compares the server in state with the settings that are present, so that a preview without an API key works.
   * @param endpoint The URL of a server given in the inputs of state, which settings cannot contradict.
   * @throws WrongServerError when they differ.
   */
  assertSameServer(facts: Facts, endpoint?: string): void {
    if ((facts.schema ?? SCHEMA) > SCHEMA) throw new NewerStateError(NEWER_STATE);
    const stored = facts.server;
    const { url } = this;
    const { tenantId, allowServerChange } = this.settings;
    if (!stored || endpoint !== undefined || allowServerChange) return;
    if (url && stored.origin !== "" && stored.origin !== url.origin) {
      throw new WrongServerError(`at ${stored.origin}`, `${SERVERS[this.serverName][0]} is ${url.origin}`);
    }
    if (tenantId !== undefined && stored.tenant && stored.tenant.toLowerCase() !== tenantId.toLowerCase()) {
      throw new WrongServerError(`in workspace ${stored.tenant}`, `tenantId is ${tenantId}`);
    }
  }
}

const resourceLog = (report: OutgoingText, urn: string): ResourceLog => ({
  progress: (text) => report.progress(urn, text),
  warn: (text) => report.warn(urn, text),
  protect: (values) => report.protect(urn, values),
  redact: (text) => report.redact(urn, text),
  infoOnStack: (text) => report.info(stackUrnOf(urn), text),
});
