/** Runs the verbs of a definition: opens their context, and stores what they return or recorded before a failure. */
import type { Context } from "../definition/context";
import { type Definition, endpointOf } from "../definition/definition";
import type { Observation } from "../definition/results";
import type { Facts, ResourceData } from "../plan/facts";
import { omitUnknowns } from "../plan/property-values";
import type { PropertyMap } from "../schema/schema";
import type { StoredResource } from "./handlers";
import type { Environment } from "./host/environment";
import { afterDelete, assertReplaceable } from "./objects/replaceable";
import { namedObject, noteCreated, takeExisting } from "./objects/replacement";
import type { OutgoingText } from "./outgoing-text";
import type { ReplacedObject } from "./run/replacements";
import type { Operation, ProviderSession } from "./session";
import { Outcome } from "./state";

export class Operations {
  constructor(
    private readonly definition: Definition,
    private readonly environment: Environment & { report: OutgoingText },
    private readonly session: () => Promise<ProviderSession>,
  ) {}

  /** Runs create or update. Stores what it returns; if it fails, what it recorded before. */
  async perform(
    operation: "create" | "update",
    { inputs, facts, outputFacts }: { inputs: PropertyMap; facts: Facts; outputFacts: Facts },
    act: (ctx: Context) => Promise<Observation>,
  ): Promise<StoredResource> {
    const { run, report } = this.environment;
    const session = await this.session();
    const outcome = new Outcome(this.definition, outputFacts, session);
    const replacedId = operation === "create" ? run.replacements.deletedBy(facts.urn) : undefined;
    const record = (observation: Observation) => {
      outcome.record(observation);
      if (operation === "create") noteCreated(namedObject(this.definition, observation.id, inputs, facts), run.objects);
    };
    try {
      record(await act({ ...(await this.openContext(inputs, facts, operation, false)), record }));
      return outcome.succeeded();
    } catch (error) {
      const failure = outcome.failed(error);
      throw replacedId === undefined ? failure : afterDelete(failure, this.definition, replacedId);
    } finally {
      await report.flush();
    }
  }

  /** Verifies that an object can be replaced. @throws UserError or HttpError with why not, and nothing was deleted. */
  readonly verifyReplacement = async (object: ReplacedObject, desired: ResourceData): Promise<void> => {
    const ctx = await this.openContext(omitUnknowns(desired.properties), desired.facts, "create", false);
    await assertReplaceable({ definition: this.definition, object, desired, session: await this.session(), ctx });
  };

  async openContext(inputs: PropertyMap, facts: Facts, operation: Operation, verifyServer = true): Promise<Context> {
    const { run } = this.environment;
    const session = await this.session();
    const endpoint = endpointOf(this.definition, inputs);
    if (verifyServer) session.assertSameServer(facts, endpoint);
    const context = session.context(this.definition, facts, operation, endpoint);
    return {
      ...context,
      take: (id, how) => {
        takeExisting({ ...namedObject(this.definition, id, inputs, facts), how }, run.objects);
        run.trace.describe({ [`agentgraph.${how}`]: true });
      },
    };
  }
}
