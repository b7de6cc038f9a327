/** Converts a remote cron to inputs as a user would write them, without defaults and without metadata that servers add. */
import type { Cron } from "../../api/agent-server/crons";
import type { AdoptFacts } from "../../definition/adopt";
import { adoptDefaults, locationOf, titleIn } from "../../objects/adopt";
import { CRON } from "./fields";
import { toAllInputs } from "./mapping";

export const adopt: AdoptFacts = {
  ...adoptDefaults(CRON, async (id, { server }) => {
    const cron = await server.crons.find(id);
    return cron && { ...cron.payload, ...cron };
  }),
  listedBy: "getCrons",
  isNamed: false,
  // The first digits of the ID are a time, which crons of one moment share.
  title: (remote) => titleIn(remote) ?? `cron-${remote.id.slice(-8)}`,
  toInputs(remote, container) {
    // What the function lists has the fields of the payload beside its own.
    const { timezone, enabled, onRunCompleted, context, config, ...others } = toAllInputs({
      ...remote,
      payload: remote,
    } as unknown as Cron);
    return {
      ...locationOf(container),
      ...others,
      ...(timezone !== "UTC" && { timezone }),
      ...(enabled === false && { enabled }),
      ...(onRunCompleted === "keep" && { onRunCompleted }),
      ...(Object.keys(context ?? {}).length > 0 && { context }),
      ...(Object.keys(config ?? {}).length > 0 && { config }),
    };
  },
};
