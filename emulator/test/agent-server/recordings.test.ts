import { usesRefused } from "../../../scripts/record/exchange";
import { STEPS } from "../../../scripts/record/steps/index";
import { readRecordings } from "../../../test/support/recordings";
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

test.each(readRecordings().map((recording) => [recording.name, recording] as const))(
  "a recording has the requests of the script, with the facts that they show: %s",
  (_, { exchanges }) => {
    // A server without crons has refused to create what later requests name.
    const expected = STEPS.filter((one) => !usesRefused(one, exchanges)).map(({ name, method, facts }) => ({
      name,
      method,
      facts,
    }));
    const recorded = exchanges.map(({ name, facts, request: { method } }) => ({ name, method, facts }));
    expect(recorded).toEqual(expected);
  },
);
