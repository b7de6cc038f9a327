/** A check that asks the questions of a file. */
import { WaitTimeoutError } from "../../../definition/wait";
import { truncate } from "../../../text/format";
import type { DatasetCheck } from "../schema/verify";
import type { CheckRun, Mismatch } from "./check-run";
import { type Question, readQuestions } from "./questions";

/** Failed questions that an error shows, and characters of each. */
const [MAX_FAILURES, MAX_SHOWN] = [3, 500];

/** Asks one question, as often as its attempts say. @param isOver Whether nobody needs the answer any more. */
export type AskOne = (question: Question, isOver: () => boolean) => Promise<Mismatch | undefined>;

export async function checkDataset(
  dataset: DatasetCheck,
  run: CheckRun,
  askOne: AskOne,
): Promise<Mismatch | undefined> {
  const questions = new Questions(await readQuestions(dataset), dataset, askOne);
  const { ctx, label } = run;
  const poll = async () => {
    const isDone = await questions.untilChange();
    return isDone ? { done: true } : { pending: `${label}, ${questions.progress}`, retryAfterMs: 0 };
  };
  try {
    await ctx.waitUntil({ kind: "questions", what: `the questions of ${dataset.path}`, poll });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
  } finally {
    questions.stop();
  }
  return questions.mismatch;
}

/** The questions of a file, of which several are asked at the same time. */
class Questions {
  private readonly failures: (Mismatch & { line: number })[] = [];
  /** How many must pass. A share such as 0.7 has no exact form. */
  private readonly needed: number;
  private readonly asking: Promise<unknown>;
  private next = 0;
  private asked = 0;
  private passed = 0;
  private isStopped = false;
  private changed = Promise.withResolvers<void>();

  constructor(
    private readonly questions: readonly Question[],
    { minPassRate = 1, concurrency = 4 }: DatasetCheck,
    private readonly askOne: AskOne,
  ) {
    this.needed = Math.ceil(questions.length * minPassRate - 1e-9);
    this.asking = Promise.all(Array.from({ length: concurrency }, () => this.askNext()));
    // Reported by `untilChange`.
    this.asking.catch(() => undefined);
  }

  get progress(): string {
    return `${this.answered} of ${this.questions.length} questions`;
  }

  private get answered(): number {
    return this.passed + this.failures.length;
  }

  /** Undefined when enough have passed. */
  get mismatch(): Mismatch | undefined {
    const { failures, passed, needed, questions } = this;
    if (passed >= needed) return undefined;
    const examples = failures
      .toSorted((left, right) => left.line - right.line)
      .slice(0, MAX_FAILURES)
      .map(({ line, expected, actual }) =>
        truncate(`line ${line}: expected ${expected}, but got ${actual}`, MAX_SHOWN),
      );
    const isDecided = failures.length > questions.length - needed;
    const counts =
      `${failures.length} of ${this.answered} ` +
      `failed${isDecided ? "" : " before the time of the operation was over"}`;
    return { expected: `${needed} of ${questions.length} questions to pass`, actual: [counts, ...examples].join("\n") };
  }

  /** Waits for the next answer. Returns whether it was the last. */
  async untilChange(): Promise<boolean> {
    await Promise.race([this.asking, this.changed.promise]);
    return this.answered === this.asked && (this.answered === this.questions.length || this.isOver());
  }

  stop(): void {
    this.isStopped = true;
  }

  private async askNext(): Promise<void> {
    for (let index = this.next++; index < this.questions.length && !this.isOver(); index = this.next++) {
      const question = this.questions[index] as Question;
      this.asked += 1;
      const mismatch = await this.askOne(question, () => this.isOver());
      if (mismatch) this.failures.push({ ...mismatch, line: question.line });
      else this.passed += 1;
      this.changed.resolve();
      this.changed = Promise.withResolvers();
    }
  }

  private readonly isOver = (): boolean => this.isStopped || this.failures.length > this.questions.length - this.needed;
}
