/** Creates without an ownership marker whose response was lost, or is about another resource. */
import { RunScope } from "../../../../provider/definition/context";
import { HttpError } from "../../../../provider/http/errors";
import { CreatesOfRun } from "../../../../provider/objects/server/lost-response";
import { type CreateOnce, createOnce, listAfterCreate } from "../../../../provider/resources/exports/idempotent-create";
import { failureOf } from "../../../support/errors";
import { START_TIME, TestClock } from "../../../support/time/clock";

interface Thing {
  id: string;
  name: string;
}

const createHttpError = (status?: number) => new HttpError({ method: "POST", path: "/things", status, detail: "oops" });
let things = 0;

/** Sets up a server with existing things and the create of another one; each test uses a unique name. */
function setUp(existing: Thing[] | undefined, act: (name: string) => Promise<Thing>) {
  const name = `thing ${things++}`;
  const clock = new TestClock();
  const scope = new RunScope();
  const calls = { sends: 0, lists: 0 };
  const list = async () => {
    calls.lists += 1;
    return existing && [...existing];
  };
  const create = (change: Partial<CreateOnce<Thing>> = {}) =>
    scope.get(CreatesOfRun).serialize(name, async () => {
      const before = await list();
      const send = () => {
        calls.sends += 1;
        return act(name);
      };
      const listEquivalent = async () => (await list())?.filter((other) => other.name === name) ?? [];
      return createOnce({ description: name, existing: before, send, listEquivalent, ...change }, { scope, clock });
    });
  return { name, clock, calls, create };
}

it("The list after a create is read once, and the one before it takes its place if that fails", async () => {
  const attempts: unknown[] = [];
  const list = async (options: object) => {
    attempts.push(options);
    throw createHttpError(503);
  };
  expect(await listAfterCreate([{ id: "before" }], list)).toEqual([{ id: "before" }]);
  expect(await listAfterCreate([{ id: "before" }], async () => [])).toEqual([]);
  expect(attempts).toEqual([{ maxAttempts: 1 }]);
});

it.each(["of an earlier run", "of the same run"])(
  "createOnce takes no object %s that a response names",
  async (what) => {
    const existing = what === "of an earlier run" ? [{ id: "known", name: "other" }] : [];
    const { create } = setUp(existing, async (name) => ({ id: "known", name }));
    if (existing.length === 0) await create();
    await expect(create()).rejects.toThrow(/the server returned ID known, which another resource has/);
  },
);

it.each<[status: number | undefined, delay: number]>([
  ...[0, 900, 6900, 29_900].map((delay): [number, number] => [504, delay]),
  ...[200, 408, 502, undefined].map((status): [number | undefined, number] => [status, 29_900]),
])("createOnce resolves a lost response (status %s) by what is new in the list %i ms later", async (status, delay) => {
  const existing: Thing[] = [];
  const { create, calls, clock } = setUp(existing, (name) => {
    const appear = () => existing.push({ id: `late-${status}-${delay}`, name });
    if (delay === 0) appear();
    else void clock.sleep(delay).then(appear);
    return Promise.reject(createHttpError(status));
  });
  expect((await create()).id).toBe(`late-${status}-${delay}`);
  expect(calls.sends).toBe(1);
});

it("createOnce fails after half a minute when nothing new appears after a lost response", async () => {
  const { create, calls, clock } = setUp([], () => Promise.reject(createHttpError()));
  await expect(create()).rejects.toThrow(
    /No new thing .* was found, so it was probably not created.*finds the resource if it was created/s,
  );
  expect(clock.now() - START_TIME).toBe(30_000);
  expect(calls.sends).toBe(1);
});

it("createOnce repeats a failed poll after a lost response, and fails with both errors in the end", async () => {
  const failing = (times: number) => {
    const existing: Thing[] = [];
    let polls = 0;
    const { name, create, clock } = setUp(existing, (own) => {
      existing.push({ id: `found-${times}`, name: own });
      return Promise.reject(createHttpError());
    });
    const listEquivalent = async () => {
      if (polls++ < times) throw new HttpError({ method: "GET", path: "/things", status: 503, detail: "down" });
      return existing;
    };
    return { name, clock, created: create({ listEquivalent }) };
  };
  expect((await failing(2).created).id).toBe("found-2");
  const { message } = await failureOf(failing(99).created);
  expect(message).toMatch(/^POST \/things: no response: oops\n/);
  expect(message).toContain(
    "Could not determine whether it was created (GET /things: 503: down). Run `pulumi up` again",
  );
});

it("createOnce polls only once after a server error", async () => {
  const { create, calls, clock } = setUp([], () => Promise.reject(createHttpError(500)));
  await expect(create()).rejects.toThrow(": 500: ");
  expect(calls).toEqual({ lists: 2, sends: 1 });
  expect(clock.elapsedMs).toBe(0);
});

it("createOnce does not poll after a rejected request", async () => {
  const { create, calls } = setUp([], () => Promise.reject(createHttpError(400)));
  expect((await failureOf(create())).message).toBe("POST /things: 400: oops");
  expect(calls).toEqual({ lists: 1, sends: 1 });
});

it("createOnce fails after a lost response when the server cannot list", async () => {
  const { create, calls } = setUp(undefined, () => Promise.reject(createHttpError()));
  await expect(create()).rejects.toThrow(
    new RegExp(
      String.raw`\nCould not determine whether thing \d+ was created, because this server cannot list resources ` +
        String.raw`of this type\. Check manually before the next \x60pulumi up\x60, or a duplicate may be ` +
        String.raw`created\.$`,
    ),
  );
  expect(calls.sends).toBe(1);
});

it("createOnce fails when several new equivalent resources appear after a lost response", async () => {
  const existing: Thing[] = [];
  const { create } = setUp(existing, (name) => {
    existing.push({ id: "a", name }, { id: "b", name });
    return Promise.reject(createHttpError());
  });
  const { message } = await failureOf(create());
  expect(message).toMatch(/\nSeveral resources matching thing \d+ were created at the same time \(a, …\); cannot tell/);
  expect(message).toMatch(/\(a, …\); cannot tell which one belongs to this stack\.$/);
});

it("createOnce runs the next create of a name after a failed one", async () => {
  const { create } = setUp([], async (name) => ({ id: "x", name }));
  const [one, two] = await Promise.allSettled([create({ send: () => Promise.reject(createHttpError(400)) }), create()]);
  expect([one.status, two.status]).toEqual(["rejected", "fulfilled"]);
});

it("createOnce resolves a lost response to the new resource, not to an equal one of before", async () => {
  const existing: Thing[] = [];
  const { create, name } = setUp(existing, (own) => {
    existing.push({ id: "resolved", name: own });
    return Promise.reject(createHttpError());
  });
  existing.push({ id: "equivalent-before", name });
  expect((await create()).id).toBe("resolved");
});

it("createOnce does not hide an error that is not the server's", async () => {
  const defect = new TypeError("x is not a function");
  const { create, calls } = setUp([], () => Promise.reject(defect));
  await expect(create()).rejects.toBe(defect);
  expect(calls).toEqual({ lists: 1, sends: 1 });
});
