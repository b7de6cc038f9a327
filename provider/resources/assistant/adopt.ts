/** Converts a remote assistant to inputs as a user would write them, without what servers add. */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import type { AdoptFacts, Remote } from "../../definition/adopt";
import { adoptDefaults, locationOf } from "../../objects/adopt";
import { ASSISTANT } from "./fields";
import { toAllInputs } from "./mapping";
import { assistantObject } from "./object";

const assistantOf = (remote: Remote) => remote as unknown as Assistant;

export const adopt: AdoptFacts = {
  ...adoptDefaults(ASSISTANT, assistantObject.read),
  listedBy: "getAssistants",
  isOfThisKind: (remote) => !isDefaultAssistant(assistantOf(remote)),
  alias: (remote) => (isDefaultAssistant(assistantOf(remote)) ? (assistantOf(remote).graphId ?? undefined) : undefined),
  isNamed: true,
  title: ({ id, name }) => String(name || `assistant-${id.slice(0, 8)}`),
  toInputs(remote, container) {
    const inputs = toAllInputs(assistantOf(remote));
    const declared = Object.entries(inputs).filter(
      ([, value]) => typeof value !== "object" || Object.keys(value).length > 0,
    );
    return { ...locationOf(container), ...Object.fromEntries(declared) };
  },
};
