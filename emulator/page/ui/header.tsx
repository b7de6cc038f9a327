import { useEffect, useRef } from "preact/hooks";
import { type Live, useNow } from "../data/live";
import { linkTo } from "../data/route";
import { useWindowEvent } from "../data/window-event";
import { capitalize, formatDateTime } from "./format";
import { Keys } from "./keys";

const VIEWS = ["deployments", "assistants", "crons", "threads", "exports", "requests", "controls"] as const;

export function Header({ live, view }: { live: Live | undefined; view: string }) {
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen, the navigation scrolls sideways.
  const center = () => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link && nav.current) nav.current.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - innerWidth / 2;
  };
  useEffect(center, [view]);
  useWindowEvent("resize", center);
  return (
    <header>
      <div class="row bar">
        <h1>Agent platform emulator</h1>
        <p class={`row cell connection ${live?.connected ? "done" : "active"}`} role="status">
          {live?.connected ? "Connected" : live ? "Disconnected, trying again" : "Connecting"}
        </p>
        {live && <ClockText isFrozen={live.clock.frozen} />}
        <Keys />
      </div>
      <nav class="tabs" aria-label="Views" ref={nav}>
        {VIEWS.map((name) => (
          <a key={name} class="row cell" href={linkTo(name)} aria-current={view === name ? "page" : undefined}>
            {name === "controls" ? "Clock and faults" : capitalize(name)}
            {live && <Badge count={name === "controls" ? live.faults.length : live.totals[name]} />}
          </a>
        ))}
      </nav>
    </header>
  );
}

function Badge({ count }: { count: number }) {
  return count === 0 ? null : <span class="badge">{count.toLocaleString()}</span>;
}

/** The emulated time, which may be frozen, ahead of the real time, or faster. */
function ClockText({ isFrozen }: { isFrozen: boolean }) {
  const now = useNow();
  return (
    <p class="row clock">
      <span class="minor">Clock</span>
      <time dateTime={new Date(now).toISOString()}>{formatDateTime(now)}</time>
      {isFrozen && <span class="mark waiting">frozen</span>}
    </p>
  );
}
