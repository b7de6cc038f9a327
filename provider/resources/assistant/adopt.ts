/** Converts a remote assistant to inputs as a user would write them, without what servers add. */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import type { AdoptFacts, Remote } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { type Location, resolveEndpoint } from "../shared/agent-server/endpoint";
import { ASSISTANT_KEYS } from "../shared/agent-server/metadata";
import { toAllInputs } from "./mapping";
import { findAssistant } from "./on-server";

const assistantOf = (remote: Remote) => remote as unknown as Assistant;

export const adopt: AdoptFacts = {
  noun: "assistant",
  listedBy: "getAssistants",
  isOfThisKind: (remote) => !isDefaultAssistant(assistantOf(remote)),
  alias: (remote) => (isDefaultAssistant(assistantOf(remote)) ? (assistantOf(remote).graphId ?? undefined) : undefined),
  isNamed: true,
  title: ({ id, name }) => String(name || `assistant-${id.slice(0, 8)}`),
  skip: ({ metadata }, { includeOwned }) =>
    !includeOwned && (metadata as PropertyMap | undefined)?.[ASSISTANT_KEYS.object] != null
      ? "it has the ownership marker of a Pulumi resource (--include-owned)"
      : undefined,
  async fetch(id, container: Location, ctx) {
    const endpoint = await resolveEndpoint("assistants", container, ctx);
    const assistant = endpoint && (await findAssistant(id, endpoint, ctx));
    return assistant && { ...assistant, id };
  },
  toInputs(remote, { deploymentId, deploymentUrl }: PropertyMap) {
    const inputs = toAllInputs(assistantOf(remote));
    const declared = Object.entries(inputs).filter(
      ([, value]) => typeof value !== "object" || Object.keys(value).length > 0,
    );
    return { ...(deploymentUrl === undefined ? { deploymentId } : { deploymentUrl }), ...Object.fromEntries(declared) };
  },
};
