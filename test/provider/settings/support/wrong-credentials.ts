/** Wrong credentials and workspaces, and what users must be shown. */
import { json, TestServer } from "../../../support/servers/server";
import {
  atServer,
  denied,
  invalid,
  known,
  listExports,
  listed,
  type Row,
  setId,
  setKey,
  setUrl,
  startRejecting,
  TEAM_A,
  workspaces,
} from "./wrong-ways";

export const credential: Row[] = [
  [
    "a key that expired, or was revoked",
    () => atServer(TestServer.start([invalid])),
    ...["may be expired, revoked or issued by another server. Create a new one and", setKey],
  ],
  [
    "a key in a variable that expired",
    async () => ({
      config: { url: (await TestServer.start([invalid])).url.origin, apiKeyEnv: "TEAM_KEY" },
      environment: { TEAM_KEY: "k" },
    }),
    "Create a new one and change the environment variable TEAM_KEY.",
  ],
  [
    "a key of another region",
    async () => ({ ...(await atServer(TestServer.start([invalid]))), platforms: known }),
    ...["The API key may be that of another region.", "    https://eu.api.smith.langchain.com\n", setUrl],
  ],
  [
    "a key of another region at a server that says 403",
    async () => ({ ...(await atServer(TestServer.start([denied]))), platforms: known }),
    ...["The API key may be that of another region.", "    https://api.smith.langchain.com\n", setUrl],
  ],
  ["a key without access", () => atServer(TestServer.start([denied])), "lack access to the workspace", setKey],
  [
    "a token as a key",
    () => atServer(TestServer.start([invalid]), { apiKey: "eyJhbGciOi.eyJzdWIi.c2ln" }),
    ...["apiKey: is a JSON Web Token", "run `pulumi config set --secret agentgraph:bearerToken <token>`"],
  ],
  [
    "a key of another service",
    () => atServer(TestServer.start([invalid]), { apiKey: "sk-proj-abc" }),
    ...["apiKey: has the form of a key for another service", setKey],
  ],
  [
    "a key in quotes",
    () => atServer(TestServer.start([invalid]), { apiKey: '"k"' }),
    ...["apiKey: is in quotes, which are not part of it", setKey],
  ],
  [
    "a key in quotes in a variable",
    async () => ({
      config: { url: (await TestServer.start([invalid])).url.origin, apiKeyEnv: "TEAM_KEY" },
      environment: { TEAM_KEY: "'k'" },
    }),
    "apiKey: is in quotes, which are not part of it; the server will probably reject it. To correct it, " +
      "change the environment variable TEAM_KEY.",
  ],
  [
    "a key with the name of its scheme",
    () => atServer(TestServer.start([invalid]), { apiKey: "Bearer k" }),
    ...["apiKey: begins with the name of a header or a scheme", setKey],
  ],
];

export const workspace: Row[] = [
  [
    "none with a key of several",
    async () => ({ ...(await atServer(startRejecting(denied, workspaces))), ask: listExports }),
    ...["Settings are missing: tenantId", "pulumi config set agentgraph:tenantId <", listed],
  ],
  [
    "one that the key cannot see",
    () => atServer(startRejecting(denied, workspaces), { tenantId: TEAM_A.replaceAll("a", "c") }),
    ...["which is not the ID of a workspace that the API key can see. To correct it,", setId, listed],
  ],
  [
    "its name in place of its ID",
    () =>
      atServer(startRejecting(json(422, { detail: "x-tenant-id: not a UUID" }), workspaces), { tenantId: "Team A" }),
    ...['tenantId: "Team A" is not a UUID', "tenantId is Team A, which is not the ID of a workspace", setId, listed],
  ],
];
