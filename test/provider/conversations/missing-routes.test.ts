/** What a backup makes of a 404 for a list: the server may lack it, or start, and a proxy may not find the server. */
import { readAssistants, readCrons, readItems } from "../../../provider/conversations/catalog/read-catalog";
import { type Answer, all, serve } from "./support/servers";

const noRoute: Answer = [404, { detail: "Not Found" }];
const flag = (crons: boolean): Answer => [200, { flags: { crons } }];

/** Returns how many are listed, with how many requests. @param answers A digit is an object. The last one stays. */
async function list(area: "crons" | "store", answers: (Answer | string)[], info = noRoute) {
  const { server, requests } = serve((path) => {
    if (!path.includes(area)) return path === "/info" ? info : [200, []];
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? noRoute;
    if (typeof answer !== "string") return answer;
    const items = [...answer].map((id) => ({ cron_id: id, namespace: ["n"], key: id }));
    return [200, area === "crons" ? items : { items }];
  });
  const found = await all<object>(area === "crons" ? readCrons(server) : readItems(server));
  return [found.length, requests.filter((request) => request.includes(area)).length];
}

describe.each(["crons", "store"] as const)("The list of what is in %s", (area) => {
  it("is whole although its first or a later page was not found for some seconds", async () => {
    expect(await list(area, [noRoute, noRoute, "12", noRoute, "3", ""])).toContain(3);
  });

  it("is empty on a server that has no such route while it has others", async () => {
    expect(await list(area, [noRoute])).toEqual([0, 6]);
  });

  it("fails if later pages stay missing, for any other rejection, and if a proxy finds nothing", async () => {
    for (const answers of [["1", noRoute], [[403]], [[500]]] as (Answer | string)[][])
      await expect(list(area, answers)).rejects.toThrow(/^POST \S+: \d+: /);
    const { server } = serve(() => noRoute);
    await expect(all<object>(area === "crons" ? readCrons(server) : readItems(server))).rejects.toThrow("404");
  });
});

it("The list of crons is empty at once if the server says that it has none, and else fails or waits", async () => {
  for (const absent of [noRoute, [500, "Not implemented"] as Answer])
    expect(await list("crons", [absent], flag(false))).toEqual([0, 1]);
  await expect(list("crons", [noRoute], flag(true))).rejects.toThrow("404");
  await expect(list("crons", [noRoute], [503])).rejects.toThrow("GET /info: 503");
});

describe("The versions of an assistant", () => {
  const versions = (...numbers: number[]): Answer => [200, numbers.map((version) => ({ version }))];

  /** Returns the numbers of its versions, and how often they were requested. The last answer stays. */
  async function read(answers: Answer[], lists: Answer[] = [[200, [{ assistant_id: "a" }]]]) {
    const next = (all: Answer[]) => (all.length > 1 ? all.shift() : all[0]) ?? noRoute;
    const { server, requests } = serve((path) => next(path.includes("versions") ? answers : lists));
    const [found] = await all(readAssistants(server));
    return [found?.versions.map(({ version }) => version), requests.filter((one) => one.includes("versions")).length];
  }

  it("are whole although their first or a later page was not found for some seconds", async () => {
    expect(await read([noRoute, noRoute, noRoute, versions(2, 1), noRoute])).toEqual([[1, 2], 5]);
    expect(await read([versions(3), noRoute, noRoute, versions(2, 1), noRoute])).toContainEqual([1, 2, 3]);
  });

  it("are none if the assistant was deleted since, or they never appear, and fail if nothing is found", async () => {
    expect(await read([noRoute], [[200, [{ assistant_id: "a" }]], versions()])).toEqual([[], 3]);
    expect(await read([noRoute])).toEqual([[], 7]);
    await expect(read([noRoute], [[200, [{ assistant_id: "a" }]], noRoute])).rejects.toThrow("/assistants/search: 404");
  });
});
