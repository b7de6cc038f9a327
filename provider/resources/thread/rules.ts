/** What excludes what in a Thread, and what probably does nothing. */
import type { CheckFailure, Rule } from "../../definition/definition";
import { knownWord } from "../shared/text-rules";
import { type Inputs, isReserved } from "./fields";

/** The metadata key that the interface owns, in its own word. */
const OWNER = "agentgraph_auth_user_id";

const fails = (paths: string[], check: Rule<Inputs>["check"]): Rule<Inputs> => ({ paths, check });
const warns = (paths: string[], check: Rule<Inputs>["check"]): Rule<Inputs> => ({ paths, check, severity: "warning" });

export const rules: Rule<Inputs>[] = [
  knownWord("ttl.strategy", "ThreadTtlStrategy"),
  fails(["deploymentId", "deploymentUrl"], ({ deploymentId, deploymentUrl }) =>
    deploymentId === undefined && deploymentUrl === undefined
      ? { path: "deploymentId", reason: "is missing: write the id of a deployment here, or deploymentUrl." }
      : undefined,
  ),
  fails(["deploymentUrl"], ({ deploymentUrl }) => {
    if (deploymentUrl === undefined) return undefined;
    const { protocol, search, hash, username, origin, pathname } = new URL(deploymentUrl);
    const write = (reason: string): CheckFailure => ({ path: "deploymentUrl", reason });
    if (!/^https?:$/.test(protocol)) return write(`begins with ${protocol}: write the address of a server, https://…`);
    if (username) return write("holds a user or a password, which state would keep: write them into agentHeaders.");
    return search || hash ? write(`ends with ${search}${hash}: write ${origin}${pathname}`) : undefined;
  }),
  fails(["copyFrom", "threadId", "supersteps"], ({ copyFrom, threadId, supersteps }) => {
    if (copyFrom === undefined) return undefined;
    const reason = "excludes copyFrom: the server gives a copy its id, and its history is that of the source.";
    return [
      ...(threadId === undefined ? [] : [{ path: "threadId", reason }]),
      ...(supersteps === undefined ? [] : [{ path: "supersteps", reason }]),
    ];
  }),
  fails(["supersteps"], ({ supersteps = [] }) =>
    supersteps.flatMap(({ updates }, step) =>
      updates.flatMap(({ values, command }, index) =>
        values === undefined && command === undefined
          ? [{ path: `supersteps.${step}.updates.${index}`, reason: "changes nothing: write values, or a command." }]
          : [],
      ),
    ),
  ),
  fails(["metadata"], ({ metadata = {} }, _previous, { vocabulary }) => {
    const vendors = OWNER.replace("agentgraph", vocabulary.agentgraph);
    return Object.keys(metadata).flatMap((key) => {
      if (isReserved(key))
        return { path: `metadata.${key}`, reason: "is reserved for the ownership marker: use another key." };
      if (key !== vendors || vendors === OWNER) return [];
      return {
        path: `metadata.${key}`,
        reason: `is the server's word: write ${OWNER}, which the vocabulary translates.`,
      };
    });
  }),
  warns(["supersteps"], ({ supersteps = [] }) =>
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
  warns(["supersteps", "metadata.graph_id"], ({ supersteps, metadata }) =>
    supersteps !== undefined && metadata?.graph_id == null
      ? {
          path: "supersteps",
          reason: "need metadata.graph_id, the graph whose nodes they name: without it servers do not apply them.",
        }
      : undefined,
  ),
];
