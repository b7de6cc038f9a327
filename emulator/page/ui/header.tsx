import { useEffect, useRef } from "preact/hooks";
import { emulatedNow, type Live } from "../data/live";
import { formatDateTime } from "./format";
import { Keys } from "./keys";

const VIEWS = [
  ["deployments", "Deployments"],
  ["assistants", "Assistants"],
  ["crons", "Crons"],
  ["threads", "Threads"],
  ["exports", "Exports"],
  ["requests", "Requests"],
  ["controls", "Clock and faults"],
] as const;

/** Title, connection, clock and navigation. */
export function Header({ live, view }: { live: Live | undefined; view: string }) {
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen, the navigation scrolls sideways.
  useEffect(() => {
    const center = () => {
      const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
      if (link && nav.current) nav.current.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - innerWidth / 2;
    };
    center();
    addEventListener("resize", center);
    return () => removeEventListener("resize", center);
  }, [view]);
  return (
    <header>
      <div class="bar">
        <h1>Agent platform emulator</h1>
        <p class={`connection ${live?.connected ? "done" : "active"}`} role="status">
          {live?.connected ? "Connected" : live ? "Disconnected, trying again" : "Connecting"}
        </p>
        {live && <ClockText live={live} />}
        <Keys />
      </div>
      <nav aria-label="Views" ref={nav}>
        {VIEWS.map(([name, title]) => (
          <a key={name} href={`#/${name}`} aria-current={view === name ? "page" : undefined}>
            {title}
            {live && <Badge live={live} view={name} />}
          </a>
        ))}
      </nav>
    </header>
  );
}

function Badge({ live, view }: { live: Live; view: (typeof VIEWS)[number][0] }) {
  const count = view === "controls" ? live.faults.length : live.totals[view];
  if (count === 0) return null;
  return <span class="badge">{count.toLocaleString()}</span>;
}

/** The emulated time, which may be frozen, ahead of the real time, or faster. */
function ClockText({ live }: { live: Live }) {
  const now = emulatedNow(live);
  return (
    <p class="clock">
      <span class="label">Clock</span>
      <time dateTime={new Date(now).toISOString()}>{formatDateTime(now)}</time>
      {live.clock.frozen && <span class="mark waiting">frozen</span>}
    </p>
  );
}
