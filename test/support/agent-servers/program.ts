/** A program with one object of an agent server, through all that happens to it, and what the user reads. */
import { randomUUID } from "node:crypto";
import { realClock } from "../../../provider/http/clock";
import type { PropertyMap } from "../../../provider/schema/schema";
import { type HostName, Stack, stateOf } from "../stack";

interface Program {
  kind: string;
  path: string;
  declared: PropertyMap;
  changed: PropertyMap;
  /** What no server can create. */
  wrong: PropertyMap;
  /** What someone else changes. */
  drift: PropertyMap;
  /** An object of someone else. */
  foreign: PropertyMap;
  /** The inputs that declare the ID of an object; absent where the server assigns it. */
  idInput?: string;
}

const messages = [{ role: "user", content: "Hello" }];
const superstep = (asNode: string) => ({ updates: [{ values: { messages }, asNode }] });
const thread = { metadata: { graph_id: "echo", team: "support" } };
const cron = { assistantId: "echo", schedule: "0 3 1 1 *", input: { messages } };

export const PROGRAMS: readonly Program[] = [
  {
    ...{ kind: "Assistant", path: "/assistants", idInput: "assistantId" },
    declared: { graphId: "echo", name: "support", context: { prefix: "small" } },
    changed: { graphId: "echo", name: "support", context: { prefix: "large" } },
    wrong: { graphId: "nosuch", name: "support" },
    drift: { name: "renamed" },
    foreign: { graph_id: "echo", name: "theirs" },
  },
  {
    ...{ kind: "Thread", path: "/threads", idInput: "threadId" },
    declared: { ...thread, supersteps: [superstep("echo")] },
    changed: { metadata: { graph_id: "echo", team: "sales" }, supersteps: [superstep("echo")] },
    wrong: { ...thread, supersteps: [superstep("nope")] },
    drift: { metadata: { team: "others" } },
    foreign: { metadata: { graph_id: "echo", customer: "ada" } },
  },
  {
    ...{ kind: "Cron", path: "/runs/crons" },
    declared: cron,
    changed: { ...cron, schedule: "0 4 1 1 *", timezone: "Europe/Berlin" },
    wrong: { ...cron, assistantId: "00000000-0000-4000-8000-000000000009" },
    drift: { schedule: "0 5 1 1 *" },
    foreign: { assistant_id: "echo", schedule: "5 5 1 1 *", input: { messages } },
  },
];

export interface Reported {
  kind: string;
  step: string;
  /** The result and all messages, with names in place of values that differ in each run. */
  text: string;
}

export async function runProgram(program: Program, { url, host }: { url: string; host: HostName }) {
  const { kind, path, declared, changed, wrong, drift, foreign, idInput } = program;
  const stack = new Stack({ clock: realClock, url: new URL(url).origin }, { kind, name: "mine", host });
  const reported: Reported[] = [];
  const at = (inputs: PropertyMap) => ({ deploymentUrl: url, ...inputs });
  const call = async (method: string, body?: PropertyMap, id = stateOf(stack).id) => {
    const headers = { connection: "close", ...(body && { "content-type": "application/json" }) };
    const response = await fetch(`${url}${path}/${id}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json().catch(() => ({}))) as { metadata: Record<string, string> };
  };
  const step = async (title: string, work: (stack: Stack) => Promise<unknown>, on = stack) => {
    on.messages = [];
    const result = await work(on).catch((error: Error) => error.message);
    const text = [typeof result === "string" ? result : JSON.stringify(result), ...on.messages].join("\n");
    reported.push({ kind, step: title, text: withNames(text, url) });
  };

  await step("a preview", (on) => on.check(at(declared)).then(() => "valid"));
  await step("a create that the server rejects", (on) => on.up(at(wrong)));
  if (stack.state) await step("a destroy of it", (on) => on.destroy());
  const id = randomUUID();
  if (idInput) {
    await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...foreign, [idInput.replace("Id", "_id")]: id }),
    });
    const taken = stack.fork({ name: "taken" });
    await step("a create with the ID of an object of others", (on) => on.up(at({ ...declared, [idInput]: id })), taken);
    await call("DELETE", undefined, id);
  }
  await step("a create", (on) => on.up(at(declared)));
  if (!stack.state) return reported;
  await step("an up without a change", (on) => on.up(at(declared)));
  await step("a refresh without a change", (on) => on.refresh());
  await call("PATCH", drift);
  await step("a refresh that finds a change", (on) => on.refresh());
  await step("a preview of the repair", (on) => on.diff(at(declared)));
  await step("a repair", (on) => on.up(at(declared)));
  await step("a preview of a change", (on) => on.diff(at(changed)));
  const key = `pulumi_${kind.toLowerCase()}_stack`;
  const { metadata } = await call("GET");
  await call("PATCH", { metadata: { ...metadata, [key]: "99999999-9999-5999-8999-999999999999" } });
  await step("an update of what another stack has taken", (on) => on.up(at(changed)));
  await call("PATCH", { metadata });
  await step("an update", (on) => on.up(at(changed)));
  await step("a refresh after it", (on) => on.refresh());
  await step("an update that the server rejects", (on) => on.up(at({ ...changed, ...rejected[kind] })));
  await step("the corrected program", (on) => on.up(at(changed)));
  await call("DELETE");
  await step("a refresh that finds no object", (on) => on.refresh());
  await step("another create", (on) => on.up(at(declared)));
  await step("a destroy", (on) => on.destroy().then(() => "deleted"));
  return reported;
}

/** What only the server can reject. */
const rejected: Record<string, PropertyMap> = {
  Assistant: { graphId: "nosuch" },
  Thread: { supersteps: [superstep("nope")] },
  Cron: { assistantId: "00000000-0000-4000-8000-000000000009" },
};

const withNames = (text: string, url: string) =>
  text
    .replaceAll(url, "<server>")
    .replaceAll(new URL(url).origin, "<server>")
    .replaceAll(new URL(url).host, "<host>")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    // The emulator numbers its responses.
    .replaceAll(/ \(request ID \d+\)|\n {2}request ID {2}\d+/g, "")
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00:00)?/g, "<time>");
