/** Shows the results of check and diff on a resource's row in a preview. */
import type { Definition } from "../definition/definition";
import { stackUrnOf } from "../definition/ownership";
import type { CheckFailure } from "../definition/rules";
import type { Clock } from "../http/clock";
import type { Facts, ResourceData } from "../plan/facts";
import { planCreate } from "../plan/impact";
import type { PlannedChange } from "../plan/plan-change";
import { omitUnknowns } from "../plan/property-values";
import { renderImpacts } from "../plan/render";
import { describeServerValues, describeUnsupported, remainingValues, type ServerValues } from "../plan/server-values";
import type { PropertyMap } from "../schema/schema";
import { describeMissing } from "../settings/setting-warnings";
import type { OutgoingText } from "./host/log";
import type { RunState } from "./run/run-state";
import type { SettingReport } from "./session";

export class Announcer {
  constructor(
    private readonly definition: Definition,
    private readonly environment: { clock: Clock; report: OutgoingText; run: RunState },
  ) {}

  /** Shows further consequences of a create; the display shows the create itself. */
  create(facts: Facts, inputs: PropertyMap): void {
    const { urn } = facts;
    // `pulumi import --file` passes no URN and creates nothing.
    if (urn === undefined) return;
    const { clock, report } = this.environment;
    const impact = planCreate(this.definition, inputs, facts, clock.now());
    const text = impact.effect === "create" ? impact.note : renderImpacts([impact]);
    if (text !== undefined) report.show("info", urn, text);
    if (impact.effect !== "create") return;
    const context = { previous: {}, inputs: omitUnknowns(inputs), now: clock.now() };
    const warning = this.definition.impact.warn?.([], context);
    if (warning) this.warn({ urn }, [warning]);
  }

  /** Shows what a change does to the running agent. @param outputs The resource's outputs in state. */
  async change({ urn = "" }: Facts, outputs: PropertyMap, plan: PlannedChange): Promise<void> {
    const { run, report } = this.environment;
    const { paths, replace, mayReplace, changes, unsupported, warnings } = plan;
    const state = { properties: outputs, facts: { urn } };
    run.outputChanges.note(this.definition, state, paths, mayReplace ? "possibly" : replace !== undefined);
    // The display truncates rows, but shows warnings in full below them.
    const losesData = changes.some(({ loses }) => loses !== undefined);
    const text = renderImpacts(changes);
    // The engine compares a resource twice if one that it depends on is replaced.
    if (run.isFirstOccurrence(`${urn}\n${text}`)) report.show(losesData ? "warn" : "info", urn, text);
    this.warn({ urn }, [...unsupported.map((path) => describeUnsupported(this.definition, path, urn)), ...warnings]);
    await report.flush();
  }

  /** Warns once per run of what only the server changed, unless the program accepts it. */
  serverValues(values: ServerValues = {}, properties: PropertyMap, desired: ResourceData): void {
    const { run, report } = this.environment;
    const { urn = "" } = desired.facts;
    const remaining = remainingValues(this.definition, desired.properties, values) ?? {};
    for (const { path, reason } of describeServerValues(this.definition, properties, remaining, urn))
      if (run.isFirstOccurrence(`${urn}\n${path}: ${reason}`)) report.show("warn", urn, `${path}: ${reason}`);
  }

  warn({ urn = "" }: Facts, warnings: readonly CheckFailure[]): void {
    for (const { path, reason } of warnings) this.environment.report.show("warn", urn, `${path}: ${reason}`);
  }

  /** Shows missing settings and probable mistakes once per run: a preview works without an API key and a network. */
  settings({ urn = "" }: Facts, { missing, texts, borrowed }: SettingReport): void {
    const { run, report } = this.environment;
    if (borrowed !== undefined && run.isFirstOccurrence(borrowed)) report.show("info", stackUrnOf(urn), borrowed);
    const unreported = missing.filter(({ name, remedy }) => run.isFirstOccurrence(`${name}: ${remedy}`));
    const isFurther = unreported.length > 0 && !run.isFirstOccurrence("missing settings");
    const all = unreported.length > 0 ? [describeMissing(unreported, isFurther), ...texts] : texts;
    for (const text of all) if (run.isFirstOccurrence(text)) report.show("warn", urn, text);
  }
}
