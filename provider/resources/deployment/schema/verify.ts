/** The input `verify` of a Deployment: the checks that follow a rollout. */
import { z } from "zod";
import { fieldMetadata, optionalName, optionalText } from "../../../schema/schema";
import { parseDuration } from "../../../text/format";
import { tryOr } from "../../../text/try-or";

export const duration = (description: string) =>
  z
    .string()
    .refine((text) => (parseDuration(text) ?? 0) > 0, 'must be a duration such as "30s" or "2m"')
    .optional()
    .describe(description);

const isPattern = (text: string): boolean => tryOr(() => new RegExp(text), undefined) !== undefined;
const pattern = z.string().refine(isPattern, "must be a regular expression of JavaScript");

const answer = {
  contains: optionalName("Text that it contains. Defaults to any."),
  matches: pattern
    .optional()
    .describe("Regular expression, in the syntax of JavaScript, that part of its text matches. Defaults to any."),
  json: z
    .unknown()
    .optional()
    .describe(
      "Part of its JSON: objects contain these keys, lists have these items in this order, and other values " +
        "are equal. Defaults to any.",
    ),
};

const expectedAnswer = z
  .strictObject(answer)
  .register(fieldMetadata, {
    interface: "ExpectedAnswerArgs",
    description: "What an answer must be; every condition must hold. The texts may be secret.",
  });

const expectedResponse = z
  .strictObject({
    status: z
      .int()
      .min(100)
      .max(599)
      .optional()
      .describe("Status code of the response. Defaults to any from 200 to 299."),
    ...answer,
  })
  .register(fieldMetadata, {
    interface: "ExpectedResponseArgs",
    description: "What a response must be; every condition must hold. The texts may be secret.",
  });

const httpCheck = z
  .strictObject({
    path: z
      .string()
      .regex(/^\/(?!\/)/, "must begin with one slash: it is below the URL of the agent server")
      .describe("Path below the URL of the agent server, with its query, such as `/ok`."),
    method: z
      .enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      .optional()
      .describe("Method of the request. Defaults to `POST` with a body, and to `GET` without one."),
    headers: z
      .record(z.string().min(1), z.string())
      .optional()
      .describe("Headers of the request, in addition to the credentials of the agent server. Defaults to none."),
    body: z
      .unknown()
      .optional()
      .describe("Body of the request: a string is sent as it is, everything else as JSON. Defaults to none."),
    expect: expectedResponse.optional().describe("What the response must be. Defaults to any success."),
  })
  .register(fieldMetadata, { interface: "HttpCheckArgs", description: "Sends one request to the agent server." });

const assistantId = z.string().min(1).describe("ID of an assistant, or the name of a graph.");

const freeForm = z.record(z.string(), z.unknown());

const foreignFields = { graphId: "is an input of an Assistant; assistantId accepts the name of a graph." };

const askCheck = z
  .strictObject({
    assistantId,
    input: z.unknown().optional().describe("Input of the run, in the format of the graph. Defaults to none."),
    context: freeForm.optional().describe("Context of the run, which the graph reads. Defaults to the assistant's."),
    config: freeForm.optional().describe("Configuration of the run. Defaults to the assistant's."),
    expect: expectedAnswer
      .optional()
      .describe(
        "What the answer must be: texts are compared with the last message of the run, or with all texts of " +
          "its result where it has no messages; JSON with the result. Defaults to any answer.",
      ),
  })
  .register(fieldMetadata, {
    interface: "AskCheckArgs",
    description: "Asks the agent a question in a stateless run, which leaves no thread, and costs what a run costs.",
    foreignFields,
  });

const datasetCheck = z
  .strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        "JSON Lines file, relative to the program's folder: each line has an `input`, what to `expect`, and " +
          "optionally `assistantId`, `context` and `config`, as in `ask`. Its content is compared, as " +
          "`verifyDigest`.",
      ),
    assistantId: assistantId
      .optional()
      .describe("ID of an assistant, or the name of a graph, for lines without one. Defaults to none."),
    minPassRate: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe("Share of the questions that must pass, above 0 and up to 1. Defaults to 1."),
    concurrency: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe("Questions that are asked at the same time. Defaults to 4."),
  })
  .register(fieldMetadata, {
    interface: "DatasetCheckArgs",
    description: "Asks the questions of a file, each in a stateless run. Each attempt is of one question.",
    foreignFields,
  });

const conversationsCheck = z
  .strictObject({
    maxThreads: z.int().min(1).max(10_000).optional().describe("Threads that are compared at most. Defaults to 1000."),
  })
  .register(fieldMetadata, {
    interface: "ConversationsCheckArgs",
    description:
      "Compares the threads that wait for an answer with the live graph: a thread that waits in a node that " +
      "the graph no longer has could never continue.",
  });

const commandCheck = z
  .strictObject({
    args: z
      .array(z.string())
      .nonempty("must name a program")
      .describe("Program and arguments, run without a shell in the program's folder, on the machine that runs Pulumi."),
    environment: z
      .record(z.string().min(1), z.string())
      .optional()
      .describe("Environment variables of the command by name. Defaults to none."),
    inherit: z
      .array(z.string().min(1))
      .optional()
      .describe(
        "Names of environment variables that the command inherits from Pulumi, such as `PATH`. Defaults to none.",
      ),
  })
  .register(fieldMetadata, {
    interface: "CommandCheckArgs",
    description:
      "Runs a command, which must end with exit code 0. Its environment contains `AGENT_URL`, " +
      "`AGENT_DEPLOYMENT_ID` and `AGENT_REVISION_ID`.",
  });

const check = z
  .strictObject({
    name: optionalName("What previews, errors and traces call it. Defaults to what it does, such as `ask agent`."),
    http: httpCheck.optional().describe("A request to the agent server."),
    ask: askCheck.optional().describe("A question to the agent."),
    dataset: datasetCheck.optional().describe("The questions of a file."),
    conversations: conversationsCheck.optional().describe("The threads that wait for an answer."),
    command: commandCheck.optional().describe("A command on the machine that runs Pulumi."),
    timeout: duration("How long one attempt may take, such as `30s` or `2m`. Defaults to 30 seconds."),
    attempts: z.int().min(1).max(100).optional().describe("How often it is tried before it has failed. Defaults to 3."),
    pause: duration("Time between two attempts, such as `2s`. Defaults to 2 seconds."),
  })
  .register(fieldMetadata, {
    interface: "CheckArgs",
    description: "A check of a live revision: one of `http`, `ask`, `dataset`, `conversations` and `command`.",
  });

export type Check = z.infer<typeof check>;
export type HttpCheck = z.infer<typeof httpCheck>;
export type AskCheck = z.infer<typeof askCheck>;
export type DatasetCheck = z.infer<typeof datasetCheck>;
export type ConversationsCheck = z.infer<typeof conversationsCheck>;
export type CommandCheck = z.infer<typeof commandCheck>;
/** Of an answer; a response has a status as well. */
export type Expectation = z.infer<typeof expectedResponse>;

/** A line of a dataset. */
export const question = askCheck.partial({ assistantId: true });

export const CHECK_KINDS = ["http", "ask", "dataset", "conversations", "command"] as const;

export const checks = z
  .array(check)
  .max(100)
  .optional()
  .describe(
    "Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: " +
      '"healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to ' +
      "none.",
  )
  .register(fieldMetadata, { effect: "verification" });

export const verifyDigest = optionalText(
  "Digest of the files of `verify`, the same on every machine. A change runs the checks again.",
);
