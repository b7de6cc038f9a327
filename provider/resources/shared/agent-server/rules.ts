/** Validation rules of every object on an agent server. */
import type { CheckFailure, Rule } from "../../../definition/rule";
import type { EndpointInputs } from "./endpoint";

/** The inputs name one server, by a URL that is safe to store. */
export const endpointRules: Rule<EndpointInputs>[] = [
  {
    paths: ["deploymentId", "deploymentUrl"],
    check: ({ deploymentId, deploymentUrl }) =>
      deploymentId === undefined && deploymentUrl === undefined
        ? { path: "deploymentId", reason: "is missing: specify the ID of a deployment, or deploymentUrl." }
        : undefined,
  },
  {
    paths: ["deploymentUrl"],
    check: ({ deploymentUrl }) => {
      if (deploymentUrl === undefined) return undefined;
      const { protocol, search, hash, username, origin, pathname } = new URL(deploymentUrl);
      const failure = (reason: string): CheckFailure => ({ path: "deploymentUrl", reason });
      if (!/^https?:$/.test(protocol))
        return failure(`is not a valid URL of a server; expected https://host, not ${protocol}`);
      if (username)
        return failure(
          "must not contain a user name or password, because state would store them: use agentHeaders instead.",
        );
      return search || hash ? failure(`must not have a query or a fragment; use ${origin}${pathname}`) : undefined;
    },
  },
];
