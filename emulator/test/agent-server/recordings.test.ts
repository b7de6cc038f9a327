import { byVersion, usesRefused } from "../../../scripts/record/exchange";
import { type Recording, readRecordings } from "../../../test/support/agent-servers/recordings";
import { KNOWN_DIFFERENCES, type KnownDifference } from "../support/recordings/differences";
import { type Replayed, replay } from "../support/recordings/replay";

describe("the emulator", () => {
  const found: Replayed[] = [];

  test.each(readRecordings().map((recording) => [recording.name, recording] as const))(
    "responds to every request of the recording %s as that server did, except where a reason is known",
    async (_, recording) => {
      const differences = await replay(recording);
      found.push(...differences);
      const defects = differences.filter((difference) => difference.known === undefined);
      expect(defects.map(({ known: _, ...defect }) => defect)).toEqual([]);
    },
  );

  test("differs wherever the table of known differences says so", () => {
    const namesOf = ({ exchanges }: KnownDifference) => (Array.isArray(exchanges) ? exchanges : [undefined]);
    const expected = KNOWN_DIFFERENCES.flatMap((known) => namesOf(known).map((name) => ({ known, name })));
    const isFound = ({ known, name }: (typeof expected)[0]) =>
      found.some((difference) => difference.known === known && (name === undefined || difference.name === name));
    expect(expected.filter((one) => !isFound(one))).toEqual([]);
  });
});

test("the recording of a newer version follows that of an older one", () =>
  expect(["a-0.10.0.jsonl", "a-0.9.1.jsonl"].sort(byVersion)).toEqual(["a-0.9.1.jsonl", "a-0.10.0.jsonl"]));

test("every recording has the requests of that of the server in Python, except for what its server refused", () => {
  const recordings = readRecordings();
  const requests = (exchanges: Recording["exchanges"]) =>
    exchanges.map(({ request, written = request, response: _, ...about }) => ({ ...about, written }));
  const all = recordings.findLast(({ server }) => server === "python")?.exchanges ?? [];
  for (const { exchanges } of recordings) {
    // A server without crons has refused to create what later requests name.
    expect(requests(exchanges)).toEqual(requests(all.filter((one) => !usesRefused(one, exchanges))));
  }
});
