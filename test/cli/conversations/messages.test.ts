/** What `agentgraph restore` prints of threads whose users must know more than a number. */
import { formatRestore, restoreJson } from "../../../cli/conversations/text";
import type { RestoreResult } from "../../../provider/conversations/restore";
import { OTHER_QUESTIONS } from "../../../provider/conversations/thread/restore-thread";

it("A restore names the threads that ask an earlier question, whose answer could be that of another", () => {
  const result: RestoreResult = {
    ...{ counts: { whole: 2, latest: 0, none: 1 }, ranAgain: new Map(), rejected: [], notes: [] },
    failed: [{ id: "three", reason: "\u001b[2J\u009d0;500: no\n::error::x" }],
    ...{ asked: 2, owners: 0, assistants: 0, items: 0, crons: 0, losses: new Map([[OTHER_QUESTIONS, ["one", "two"]]]) },
  };
  expect(formatRestore(result)).toContain(
    "2 threads ask again.\n2 threads are asking other questions than before:\n" +
      "  one: read what it asks before you answer\n  two: read what it asks before you answer\n" +
      "1 thread is not restored:\n  three: \\u009d0;500: no\n: :error::x\n",
  );
  expect(restoreJson(result)).toMatchObject({
    losses: { [OTHER_QUESTIONS]: 2 },
    threadsByLoss: { [OTHER_QUESTIONS]: ["one", "two"] },
  });
});
