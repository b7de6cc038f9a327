import { useState } from "preact/hooks";

export type Action = ReturnType<typeof useAction>;

/** One action at a time, with its outcome announced to screen readers. */
export function useAction() {
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>({ text: "", failed: false });
  const [isRunning, setIsRunning] = useState(false);
  /** Runs an action and shows what it returns, or its error. */
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
