/** One line a step: what, why, how long. A long step shows that it lives. */

const QUIET_AT_FIRST = 3_000;
const SIGN_OF_LIFE = 30_000;

let steps = 0;

/** How many steps had something to do so far. */
export const stepsTaken = () => steps;

/** A time in milliseconds as people say it: "0.4 s", "12 s", "4 min 5 s". */
export function duration(milliseconds) {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Does `work` and prints its line. `work` receives a function that says what it is at now; the last thing said stands
 * in the line at the end.
 */
export async function step(what, why, work) {
  steps += 1;
  const begin = Date.now();
  let now = why;
  const line = () => `${what}: ${now}`;
  const sign = process.stdout.isTTY ? liveLine(line, begin) : plainSigns(line, begin);
  try {
    const result = await work((text) => {
      now = text;
    });
    sign.end(`${line()} (${duration(Date.now() - begin)})`);
    return result;
  } catch (error) {
    sign.end(`${line()} (failed after ${duration(Date.now() - begin)})`);
    throw error;
  }
}

/** On a terminal: one line, rewritten each second, cut to the width so that it stays one line. */
function liveLine(line, begin) {
  const draw = () => {
    const time = ` … ${duration(Date.now() - begin)}`;
    const room = (process.stdout.columns || 80) - time.length - 1;
    process.stdout.write(`\r\x1b[2K${line().slice(0, room)}${time}`);
  };
  draw();
  const timer = setInterval(draw, 1000);
  return {
    end(text) {
      clearInterval(timer);
      process.stdout.write(`\r\x1b[2K${text}\n`);
    },
  };
}

/** In a log: nothing for a short step but its last line; a long one says what it is at, then lives every 30 seconds. */
function plainSigns(line, begin) {
  const say = () => console.log(`${line()} … ${duration(Date.now() - begin)}`);
  let timer = setTimeout(() => {
    say();
    timer = setInterval(say, SIGN_OF_LIFE);
  }, QUIET_AT_FIRST);
  return {
    end(text) {
      clearInterval(timer);
      console.log(text);
    },
  };
}
