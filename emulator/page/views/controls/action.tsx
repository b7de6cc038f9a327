import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface Action {
  /** Runs an action and shows what it returns, or its error. */
  run(action: () => Promise<string>): Promise<void>;
  isRunning: boolean;
  message: JSX.Element;
}

/** One action at a time, with its outcome announced to screen readers. */
export function useAction(): Action {
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>({ text: "", failed: false });
  const [isRunning, setIsRunning] = useState(false);
  const run = async (action: () => Promise<string>) => {
    setIsRunning(true);
    try {
      setOutcome({ text: await action(), failed: false });
    } catch (error) {
      setOutcome({ text: (error as Error).message, failed: true });
    } finally {
      setIsRunning(false);
    }
  };
  const message = (
    <p class={outcome.text && `callout ${outcome.failed ? "failed" : "idle"}`} role="status">
      {outcome.text}
    </p>
  );
  return { run, isRunning, message };
}
