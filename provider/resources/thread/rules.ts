/** What excludes what in a Thread, and what probably does nothing. */
import type { CheckFailure, Rule } from "../../definition/definition";
import { knownValueRule } from "../shared/text-rules";
import { type Inputs, isReserved } from "./fields";

/** The metadata key that the interface owns, in its own word. */
const OWNER_KEY = "agentgraph_auth_user_id";

const errorRule = (paths: string[], check: Rule<Inputs>["check"]): Rule<Inputs> => ({ paths, check });
const warningRule = (paths: string[], check: Rule<Inputs>["check"]): Rule<Inputs> => ({
  paths,
  check,
  severity: "warning",
});

export const rules: Rule<Inputs>[] = [
  knownValueRule("ttl.strategy", "ThreadTtlStrategy"),
  errorRule(["deploymentId", "deploymentUrl"], ({ deploymentId, deploymentUrl }) =>
    deploymentId === undefined && deploymentUrl === undefined
      ? { path: "deploymentId", reason: "is missing: write the id of a deployment here, or deploymentUrl." }
      : undefined,
  ),
  errorRule(["deploymentUrl"], ({ deploymentUrl }) => {
    if (deploymentUrl === undefined) return undefined;
    const { protocol, search, hash, username, origin, pathname } = new URL(deploymentUrl);
    const failure = (reason: string): CheckFailure => ({ path: "deploymentUrl", reason });
    if (!/^https?:$/.test(protocol))
      return failure(`begins with ${protocol}: write the address of a server, https://…`);
    if (username) return failure("holds a user or a password, which state would keep: write them into agentHeaders.");
    return search || hash ? failure(`ends with ${search}${hash}: write ${origin}${pathname}`) : undefined;
  }),
  errorRule(["copyFrom", "threadId", "supersteps"], ({ copyFrom, threadId, supersteps }) => {
    if (copyFrom === undefined) return undefined;
    const reason = "excludes copyFrom: the server gives a copy its id, and its history is that of the source.";
    return [
      ...(threadId === undefined ? [] : [{ path: "threadId", reason }]),
      ...(supersteps === undefined ? [] : [{ path: "supersteps", reason }]),
    ];
  }),
  errorRule(["supersteps"], ({ supersteps = [] }) =>
    supersteps.flatMap(({ updates }, step) =>
      updates.flatMap(({ values, command }, index) =>
        values === undefined && command === undefined
          ? [{ path: `supersteps.${step}.updates.${index}`, reason: "changes nothing: write values, or a command." }]
          : [],
      ),
    ),
  ),
  errorRule(["metadata"], ({ metadata = {} }, _previous, { vocabulary }) => {
    const vendorKey = OWNER_KEY.replace("agentgraph", vocabulary.agentgraph);
    return Object.keys(metadata).flatMap((key) => {
      if (isReserved(key))
        return { path: `metadata.${key}`, reason: "is reserved for the ownership marker: use another key." };
      if (key !== vendorKey || vendorKey === OWNER_KEY) return [];
      return {
        path: `metadata.${key}`,
        reason: `is the server's word: write ${OWNER_KEY}, which the vocabulary translates.`,
      };
    });
  }),
  warningRule(["supersteps"], ({ supersteps = [] }) =>
    supersteps.flatMap(({ updates }, step) =>
      updates.flatMap(({ values, command }, index) =>
        values !== undefined && command !== undefined
          ? [
              {
                path: `supersteps.${step}.updates.${index}`,
                reason: "has values and a command: servers take one of the two.",
              },
            ]
          : [],
      ),
    ),
  ),
  warningRule(["supersteps", "metadata.graph_id"], ({ supersteps, metadata }) =>
    supersteps !== undefined && metadata?.graph_id == null
      ? {
          path: "supersteps",
          reason: "need metadata.graph_id, the graph whose nodes they name: without it servers do not apply them.",
        }
      : undefined,
  ),
];
