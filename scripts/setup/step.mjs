/** Prints one line for each step: what, why and how long. A long step prints its status as well. */

const QUIET_MS = 3_000;
const STATUS_INTERVAL_MS = 30_000;

/** Formats milliseconds: "0.4 s", "12 s", "4 min 5 s". */
export function duration(milliseconds) {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs `work` and prints its line. `work` receives a function that sets the current status; the last status is in the
 * final line.
 * @template T
 * @param {string} what
 * @param {string} why
 * @param {(now: (status: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, why, work) {
  const begin = Date.now();
  let now = why;
  const line = () => `${what}: ${now}`;
  const print = () => console.log(`${line()} … ${duration(Date.now() - begin)}`);
  let timer = setTimeout(() => {
    print();
    timer = setInterval(print, STATUS_INTERVAL_MS);
  }, QUIET_MS);
  const end = (ending) => {
    clearInterval(timer);
    console.log(`${line()} (${ending}${duration(Date.now() - begin)})`);
  };
  try {
    const result = await work((text) => {
      now = text;
    });
    end("");
    return result;
  } catch (error) {
    end("failed after ");
    throw error;
  }
}
