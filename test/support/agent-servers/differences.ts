/** Tests that a published agent server cannot pass, by what they expect of it. */
import type { ServerKind } from "./published";

export interface Difference {
  why: string;
  /** The server; absent: both. */
  server?: ServerKind;
  /** A part of the title of each test, which is expected to fail. */
  titles: readonly string[];
  /** Whether it may pass, or fails only after the timeout of a test: it is not run. */
  isSkipped?: boolean;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    why: "The emulator does not forward a request whose client has disconnected, so the server never processes it.",
    titles: ["was processed after its timeout"],
    isSkipped: true,
  },
  {
    why: "The test advances the clock: the time of a server of others cannot be changed.",
    titles: [
      "a refresh of a Thread detects that the thread expired",
      ...["assistant", "thread", "copy"].map((noun) => `create of a ${noun} has one outcome where others copied`),
      ...["assistant", "thread"].map(
        (noun) => `create of a ${noun} has one outcome where a killed run left an object with`,
      ),
      "create of a copy has one outcome where without markers, a killed run left the object",
      "create of a cron has one outcome where without markers, a killed run left the object",
      "does not fire at once when it is enabled again",
      "a refresh of a Cron ignores that the cron fired",
    ],
  },
  { why: "A run may end before the provider reads the thread.", titles: ["the status busy of a run"], isSkipped: true },
  {
    why: "The test needs two servers, or one with other options: routes or authentication that it has not.",
    titles: [
      ...["a server without assistants says so", "agentHeaders are sent where the API key would be"],
      ...["on a server that assigns IDs and changes nothing", "a deploymentUrl takes precedence over a deploymentId"],
      ...["a deploymentUrl that changes replaces the thread", "an agent server without crons"],
      "says in one sentence that an agent server has no crons",
    ],
  },
  {
    why: "The server does not return the TTL of a thread.",
    titles: [
      "Thread: a create sends the declared inputs and stores",
      "a change of a Thread sets ttl in place, and warns once",
      "adopt declares the TTL of a thread, which no list returns",
    ],
  },
  {
    why: "The graph has another schema, or another name, than that of the emulator.",
    titles: [
      "Thread: keys of metadata and of state values keep their spelling",
      "whose context breaks the schema of its graph warns",
    ],
  },
  {
    why: "The metadata of a checkpoint, and the ID of the latest one, are not those of the emulator.",
    titles: ["Thread states are returned"],
  },
  {
    why: "The server does not know the graph of the test.",
    server: "python",
    titles: ["getAssistant fails with the IDs when several have the name"],
  },
  {
    why: "The test expects what the server in JavaScript does.",
    server: "python",
    titles: [
      "a server without crons is a note, and is asked for nothing else",
      "a change of a Thread of ttl is sent to a server that ignores it",
      "a graph that the server in JavaScript does not have",
      "on the server in javascript, an Assistant survives a change of its marker",
      "on the server in javascript, an Assistant is deleted with all of its versions",
      "on the server in javascript, an Assistant whose values move from context",
    ],
  },
  {
    why: "The test expects what the server in Python does.",
    server: "javascript",
    titles: [
      "a graph that the server in Python does not have",
      "on the server in python, an Assistant that someone rolled back",
      "on the server in python, an Assistant survives a change of its marker",
      "on the server in python, an Assistant is deleted with all of its versions",
      "on the server in python, an Assistant whose values move from context",
    ],
  },
  {
    why: "The server has no crons, so the provider asks for none, or asks GET /info why there is no route.",
    server: "javascript",
    titles: [
      ...["the destroy of a assistant with crons", "the destroy of a thread with crons fails if others have one"],
      "A cron of a killed run that can be neither changed nor deleted",
      ...["A cron that others made from our metadata survives", "a destroy of an Assistant with a cron of"],
      "a destroy of a Thread sends the requests that the tests below inject failures into",
      "crons in order are one line, after one search for all of them",
      "a cron that is gone, has ended, or is late is a note",
      "a cron whose time has passed shows that the scheduler stands still",
      "a cron whose assistant others have deleted with it is gone",
      "adopt needs no control plane for what is on the agent servers",
      "a destroy of an Assistant sends the requests that the tests below inject failures into",
    ],
  },
  {
    why: "The server computes the schemas of a graph for longer than the provider waits for them.",
    server: "javascript",
    titles: ["gets exactly one new version for a change of graphId"],
    isSkipped: true,
  },
  {
    why: "The provider does not search for crons here, so the request that the test delays is never sent.",
    server: "javascript",
    titles: ["a destroy of an Assistant whose request 4, POST /agents/{id}/runs/crons/search, timed out"],
    isSkipped: true,
  },
  {
    why: "Whether the provider searches for crons before it knows that the server has none is a matter of time.",
    server: "javascript",
    titles: ["POST /agents/{id}/runs/crons/search, got 429 with seconds to wait"],
    isSkipped: true,
  },
  {
    why:
      "The server sends no Date, so the clock of the test, which is ahead, decides that the copy is older than " +
      "the request.",
    server: "javascript",
    titles: [
      "create of a copy has one outcome where the response is lost",
      "/copy, was reset after the server processed it",
      "/copy, got 502 with a page after the server processed it",
    ],
  },
  {
    why: "The server returns no schema of the input of the graph.",
    server: "javascript",
    titles: ["getAssistantSchemas returns those of an assistant or of a graph"],
  },
  {
    why: "The server returns 500 for an unknown node.",
    server: "javascript",
    titles: ["that a rejected create may have left is named and not deleted"],
  },
];
