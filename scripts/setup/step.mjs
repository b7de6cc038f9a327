/** Prints one line for each step: what, why and how long. A long step shows its progress. */

const QUIET_MS = 3_000;
const STATUS_INTERVAL_MS = 30_000;

let steps = 0;

/** Returns the number of steps so far. */
export const stepsTaken = () => steps;

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
  steps += 1;
  const begin = Date.now();
  let now = why;
  const line = () => `${what}: ${now}`;
  const display = process.stdout.isTTY ? liveLine(line, begin) : logLines(line, begin);
  try {
    const result = await work((text) => {
      now = text;
    });
    display.end(`${line()} (${duration(Date.now() - begin)})`);
    return result;
  } catch (error) {
    display.end(`${line()} (failed after ${duration(Date.now() - begin)})`);
    throw error;
  }
}

/** On a terminal: one line for each running step, rewritten every second and truncated to the width of the terminal. */
function liveLine(line, begin) {
  const draw = () => {
    const time = ` … ${duration(Date.now() - begin)}`;
    return `${line().slice(0, (process.stdout.columns || 80) - time.length - 1)}${time}`;
  };
  live.add(draw);
  redraw();
  const timer = setInterval(redraw, 1000);
  return {
    end(text) {
      clearInterval(timer);
      live.delete(draw);
      redraw(`${text}\n`);
    },
  };
}

/** The lines of the running steps, and the number of those on the screen. */
const live = new Set();
let drawn = 0;

/** Replaces the lines of the running steps, after `text`. */
function redraw(text = "") {
  const up = drawn > 0 ? `\x1b[${drawn}A` : "";
  process.stdout.write(`${up}\r\x1b[J${text}${[...live].map((draw) => `${draw()}\n`).join("")}`);
  drawn = live.size;
}

/** In a log: only the final line for a short step; for a long one, its status every 30 seconds. */
function logLines(line, begin) {
  const print = () => console.log(`${line()} … ${duration(Date.now() - begin)}`);
  let timer = setTimeout(() => {
    print();
    timer = setInterval(print, STATUS_INTERVAL_MS);
  }, QUIET_MS);
  return {
    end(text) {
      clearInterval(timer);
      console.log(text);
    },
  };
}
