import { STEPS } from "../../../scripts/record/steps/index";
import { readRecordings } from "../../../test/support/recordings";
import { KNOWN_DIFFERENCES } from "../support/recordings/differences";
import { type Replayed, replay } from "../support/recordings/replay";

describe("the emulator", () => {
  const known = new Set<Replayed["known"]>();

  test.each(readRecordings().map((recording) => [recording.name, recording] as const))(
    "responds to every request of the recording %s as that server did, except where a reason is known",
    async (_, recording) => {
      const differences = await replay(recording);
      for (const difference of differences) known.add(difference.known);
      const defects = differences.filter((difference) => difference.known === undefined);
      expect(defects.map(({ known: _, ...defect }) => defect)).toEqual([]);
    },
  );

  test("differs wherever the table of known differences says so", () => {
    expect(KNOWN_DIFFERENCES.filter((difference) => !known.has(difference))).toEqual([]);
  });
});

describe("a recording", () => {
  test.each(readRecordings().map((recording) => [recording.name, recording] as const))(
    "has the requests of the script, with the facts that they show: %s",
    (_, { exchanges }) => {
      const expected = STEPS.map(({ name, method, facts }) => ({ name, method, facts }));
      const recorded = exchanges.map(({ name, facts, request: { method } }) => ({ name, method, facts }));
      // A server without crons has refused to create what later requests name.
      expect(expected).toEqual(expect.arrayContaining(recorded));
      expect(recorded.length).toBeGreaterThan(0.9 * expected.length);
    },
  );
});
