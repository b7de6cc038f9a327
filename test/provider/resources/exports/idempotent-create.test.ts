/**
 * Creates without an ownership marker: equivalent resources that exist already, and requests whose response was lost.
 */
import { RunScope } from "../../../../provider/definition/context";
import { HttpError } from "../../../../provider/http/errors";
import { createIdempotent, type IdempotentCreate } from "../../../../provider/resources/exports/idempotent-create";
import { START_TIME, TestClock } from "../../../support/clock";
import { failureOf } from "../../../support/errors";

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
  const events: string[] = [];
  const create = (change: Partial<IdempotentCreate<Thing>> = {}) =>
    createIdempotent<Thing>({
      description: name,
      send: () => {
        calls.sends += 1;
        events.push("send");
        return act(name);
      },
      list: async ({ maxAttempts } = {}) => {
        calls.lists += 1;
        events.push(maxAttempts === undefined ? "list" : `list, ${maxAttempts} attempt`);
        return existing && [...existing];
      },
      isEquivalent: (other) => other.name === name,
      onCreated: ({ id }) => void events.push(`created ${id}`),
      allowDuplicate: false,
      clock,
      scope,
      ...change,
    });
  return { name, clock, calls, events, create };
}

it("createIdempotent creates a unique resource with one create request between two list requests", async () => {
  const { create, calls } = setUp([], async (name) => ({ id: "new", name }));
  expect((await create()).id).toBe("new");
  expect(calls).toEqual({ lists: 2, sends: 1 });
});

it("createIdempotent reports what it created before any further request, which it sends only once", async () => {
  const { create, events } = setUp([], async (name) => ({ id: "new", name }));
  await create();
  expect(events).toEqual(["list", "send", "created new", "list, 1 attempt"]);
});

it("createIdempotent reports what a request without a response created, as soon as the list shows it", async () => {
  const existing: Thing[] = [];
  const { create, events } = setUp(existing, async (name) => {
    existing.push({ id: "new", name });
    throw createHttpError();
  });
  await create();
  expect(events).toEqual(["list", "send", "list", "created new", "list, 1 attempt"]);
});

it("createIdempotent does not create an equivalent of an existing resource unless allowDuplicate is set", async () => {
  const existing: Thing[] = [];
  const { create, calls, name } = setUp(existing, async (own) => ({ id: "second", name: own }));
  existing.push({ id: "first", name });
  const { message } = await failureOf(create());
  expect(message.split("\n").slice(0, 3)).toEqual([
    `${name} already exists (ID first). An interrupted run or an earlier \`pulumi destroy\` may have left it behind. Nothing was created.`,
    'To adopt it, add to the resource options:  import: "first"',
    "To create another one anyway, set  allowDuplicate: true",
  ]);
  expect(calls.sends).toBe(0);
  expect((await create({ allowDuplicate: true })).id).toBe("second");
});

it.each<[status: number | undefined, delay: number]>([
  ...[0, 900, 6900, 29_900].map((delay): [number, number] => [504, delay]),
  ...[408, 502, undefined].map((status): [number | undefined, number] => [status, 29_900]),
])(
  "createIdempotent resolves a lost response (status %s) by what is new in the list %i ms later",
  async (status, delay) => {
    const existing: Thing[] = [];
    const { create, calls, clock } = setUp(existing, (name) => {
      const appear = () => existing.push({ id: `late-${status}-${delay}`, name });
      if (delay === 0) appear();
      else void clock.sleep(delay).then(appear);
      return Promise.reject(createHttpError(status));
    });
    expect((await create()).id).toBe(`late-${status}-${delay}`);
    expect(calls.sends).toBe(1);
  },
);

it("createIdempotent fails after half a minute when nothing new appears after a lost response", async () => {
  const { create, calls, clock } = setUp([], () => Promise.reject(createHttpError()));
  const { message } = await failureOf(create());
  expect(message).toMatch(
    /No new thing .* was found, so it was probably not created.*finds the resource if it was created/s,
  );
  expect(clock.now() - START_TIME).toBe(30_000);
  expect(calls.sends).toBe(1);
});

it("createIdempotent repeats a failed poll after a lost response, and fails with both errors when the last poll fails", async () => {
  const failing = (times: number) => {
    const existing: Thing[] = [];
    let polls = 0;
    const { name, create, clock } = setUp(existing, (own) => {
      existing.push({ id: `found-${times}`, name: own });
      return Promise.reject(createHttpError());
    });
    const list = async () => {
      if (polls++ > 0 && polls <= times + 1)
        throw new HttpError({ method: "GET", path: "/things", status: 503, detail: "down" });
      return polls === 1 ? [] : existing;
    };
    return { name, clock, created: create({ list }) };
  };
  expect((await failing(2).created).id).toBe("found-2");
  const { message } = await failureOf(failing(99).created);
  expect(message).toMatch(/^POST \/things: no response: oops\n/);
  expect(message).toContain(
    "Could not determine whether it was created (GET /things: 503: down). Run `pulumi up` again",
  );
});

it("createIdempotent polls only once after a server error", async () => {
  const { create, calls, clock } = setUp([], () => Promise.reject(createHttpError(500)));
  await expect(create()).rejects.toThrow(": 500: ");
  expect(calls).toEqual({ lists: 2, sends: 1 });
  expect(clock.elapsedMs).toBe(0);
});

it("createIdempotent does not poll after a rejected request", async () => {
  const { create, calls } = setUp([], () => Promise.reject(createHttpError(400)));
  expect((await failureOf(create())).message).toBe("POST /things: 400: oops");
  expect(calls).toEqual({ lists: 1, sends: 1 });
});

it("createIdempotent fails after a lost response when the server cannot list", async () => {
  const { create, calls } = setUp(undefined, () => Promise.reject(createHttpError()));
  expect((await failureOf(create())).message).toMatch(
    /\nCould not determine whether thing \d+ was created, because this server cannot list resources of this type\. Check manually before the next `pulumi up`, or a duplicate may be created\.$/,
  );
  expect(calls.sends).toBe(1);
});

it("createIdempotent fails when several new equivalent resources appear after a lost response", async () => {
  const existing: Thing[] = [];
  const { create } = setUp(existing, (name) => {
    existing.push({ id: "a", name }, { id: "b", name });
    return Promise.reject(createHttpError());
  });
  expect((await failureOf(create())).message).toMatch(
    /\nSeveral resources matching thing \d+ were created at the same time \(a, …\); cannot tell which one belongs to this stack\.$/,
  );
});

it("createIdempotent serializes equivalent creates, and a lost response never resolves to the result of the other", async () => {
  const existing: Thing[] = [];
  const { create } = setUp(existing, async (name) => {
    const created = { id: `created-${existing.length}`, name };
    existing.push(created);
    if (existing.length === 2) throw createHttpError();
    return created;
  });
  const ids = await Promise.all([1, 2, 3].map(() => create({ allowDuplicate: true })));
  expect(ids.map(({ id }) => id)).toEqual(["created-0", "created-1", "created-2"]);
});

it("createIdempotent runs the next create of a name after a failed one", async () => {
  const { create } = setUp([], async (name) => ({ id: "x", name }));
  const [one, two] = await Promise.allSettled([create({ send: () => Promise.reject(createHttpError(400)) }), create()]);
  expect([one.status, two.status]).toEqual(["rejected", "fulfilled"]);
});

it("createIdempotent resolves a lost response to the new resource, not to an equivalent one that existed before", async () => {
  const existing: Thing[] = [];
  const { create, name } = setUp(existing, (own) => {
    existing.push({ id: "resolved", name: own });
    return Promise.reject(createHttpError());
  });
  existing.push({ id: "equivalent-before", name });
  expect((await create({ allowDuplicate: true })).id).toBe("resolved");
});

it("createIdempotent passes on what exists already, without what the same run created", async () => {
  const existing: Thing[] = [{ id: "of-another-run", name: "other" }];
  const { create } = setUp(existing, async (name) => {
    const created = { id: `of-this-run-${existing.length}`, name };
    existing.push(created);
    return created;
  });
  const passed: string[][] = [];
  const onExisting = async (others: readonly Thing[]) => void passed.push(others.map(({ id }) => id));
  for (let count = 0; count < 2; count++) await create({ allowDuplicate: true, onExisting });
  const { create: createUnlisted } = setUp(undefined, async (name) => ({ id: "unlisted", name }));
  await createUnlisted({ onExisting });
  expect(passed).toEqual([["of-another-run"], ["of-another-run"], []]);
});

it("createIdempotent does not hide an error that is not the server's", async () => {
  const defect = new TypeError("x is not a function");
  const { create, calls } = setUp([], () => Promise.reject(defect));
  await expect(create()).rejects.toBe(defect);
  expect(calls).toEqual({ lists: 1, sends: 1 });
});
