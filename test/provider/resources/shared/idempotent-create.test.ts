/** Creates that leave no mark: what is there already, and what became of a request whose answer was lost. */
import { HttpError } from "../../../../provider/http/errors";
import { createIdempotent, type IdempotentCreate } from "../../../../provider/resources/shared/idempotent-create";
import { BEGIN, TestClock } from "../../../support/clock";
import { failureOf } from "../../../support/errors";

interface Thing {
  id: string;
  name: string;
}

const lost = (status?: number) => new HttpError({ method: "POST", path: "/things", status, detail: "oops" });
let things = 0;

/** A service that holds these, and a create of one more; each test has names of its own, as each thing has. */
function service(held: Thing[] | undefined, act: (name: string) => Promise<Thing>) {
  const name = `thing ${things++}`;
  const clock = new TestClock();
  const asked = { sends: 0, lists: 0 };
  const create = (change: Partial<IdempotentCreate<Thing>> = {}) =>
    createIdempotent<Thing>({
      description: name,
      send: () => {
        asked.sends += 1;
        return act(name);
      },
      list: async () => {
        asked.lists += 1;
        return held && [...held];
      },
      isEquivalent: (other) => other.name === name,
      allowDuplicate: false,
      clock,
      ...change,
    });
  return { name, clock, asked, create };
}

it("one that equals nothing is made with one look and one request", async () => {
  const { create, asked } = service([], async (name) => ({ id: "new", name }));
  expect((await create()).id).toBe("new");
  expect(asked).toEqual({ lists: 1, sends: 1 });
});

it("what equals one that is there is not made, unless that is asked for", async () => {
  const held: Thing[] = [];
  const { create, asked, name } = service(held, async (own) => ({ id: "second", name: own }));
  held.push({ id: "first", name });
  const { message } = await failureOf(create());
  expect(message).toMatch(/import: "first".*allowDuplicate: true/s);
  expect(asked.sends).toBe(0);
  expect((await create({ allowDuplicate: true })).id).toBe("second");
});

it.each([0, 900, 6900, 29_900])("a lost answer is settled by what is new in the list %i ms later", async (delay) => {
  const held: Thing[] = [];
  const { create, asked, clock } = service(held, (name) => {
    const appear = () => held.push({ id: `late-${delay}`, name });
    if (delay === 0) appear();
    else void clock.sleep(delay).then(appear);
    return Promise.reject(lost(504));
  });
  expect((await create()).id).toBe(`late-${delay}`);
  expect(asked.sends).toBe(1);
});

it("a lost answer after which nothing appears is an error, after half a minute of looks", async () => {
  const { create, asked, clock } = service([], () => Promise.reject(lost()));
  const { message } = await failureOf(create());
  expect(message).toMatch(/lists no new thing.*probably not created.*finds it if it was created/s);
  expect(clock.now() - BEGIN).toBe(30_000);
  expect(asked.sends).toBe(1);
});

it("a lost answer whose looks fail as well is an error that names both, and a look that fails on the way is repeated", async () => {
  const failing = (times: number) => {
    const held: Thing[] = [];
    let looks = 0;
    const { name, create, clock } = service(held, (own) => {
      held.push({ id: `found-${times}`, name: own });
      return Promise.reject(lost());
    });
    const list = async () => {
      if (looks++ > 0 && looks <= times + 1)
        throw new HttpError({ method: "GET", path: "/things", status: 503, detail: "down" });
      return looks === 1 ? [] : held;
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

it("after the service itself said that it failed one look is enough", async () => {
  const { create, asked, clock } = service([], () => Promise.reject(lost(500)));
  await expect(create()).rejects.toThrow(": 500: ");
  expect(asked).toEqual({ lists: 2, sends: 1 });
  expect(clock.elapsed).toBe(0);
});

it("what the service refuses is no lost answer", async () => {
  const { create, asked } = service([], () => Promise.reject(lost(400)));
  expect((await failureOf(create())).message).toBe("POST /things: 400: oops");
  expect(asked).toEqual({ lists: 1, sends: 1 });
});

it("without a list a lost answer is an error that says so", async () => {
  const { create, asked } = service(undefined, () => Promise.reject(lost()));
  expect((await failureOf(create())).message).toMatch(/is not known.*no list to look in/s);
  expect(asked.sends).toBe(1);
});

it("of several that appeared none is taken", async () => {
  const held: Thing[] = [];
  const { create } = service(held, (name) => {
    held.push({ id: "a", name }, { id: "b", name });
    return Promise.reject(lost());
  });
  expect((await failureOf(create())).message).toContain("not known which is ours");
});

it("two that equal each other are made one after the other, and a lost answer never takes the other's", async () => {
  const held: Thing[] = [];
  const { create } = service(held, async (name) => {
    const made = { id: `made-${held.length}`, name };
    held.push(made);
    if (held.length === 2) throw lost();
    return made;
  });
  const ids = await Promise.all([1, 2, 3].map(() => create({ allowDuplicate: true })));
  expect(ids.map(({ id }) => id)).toEqual(["made-0", "made-1", "made-2"]);
});

it("the failure of one does not stop the next of the same name", async () => {
  const { create } = service([], async (name) => ({ id: "x", name }));
  const [one, two] = await Promise.allSettled([create({ send: () => Promise.reject(lost(400)) }), create()]);
  expect([one.status, two.status]).toEqual(["rejected", "fulfilled"]);
});
