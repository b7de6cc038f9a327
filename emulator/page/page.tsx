import { useEffect, useState } from "preact/hooks";
import { type Live, useLive } from "./data/live";
import { useRoute } from "./data/route";
import { Header } from "./ui/header";
import { Empty } from "./ui/text";
import { AssistantView } from "./views/assistant";
import { BucketSection } from "./views/bucket";
import { Controls } from "./views/controls";
import { CronView } from "./views/cron";
import { DeploymentView } from "./views/deployment/view";
import { ExportView } from "./views/export";
import { assistants } from "./views/lists/assistants";
import { crons } from "./views/lists/crons";
import { deployments } from "./views/lists/deployments";
import { exports } from "./views/lists/exports";
import { ListView } from "./views/lists/list-view";
import { threads } from "./views/lists/threads";
import { RequestLog } from "./views/requests/log";
import { StackUpdates } from "./views/stack-updates";
import { ThreadView } from "./views/thread";

/** The whole page: the header, and the view that the address names. */
export function Page() {
  const live = useLive();
  const route = useRoute();
  const [view = "deployments"] = route;
  const shown = view === "requests" ? view : route.slice(0, view === "deployments" ? 2 : undefined).join("/");
  useTick();
  // Another view starts at its top.
  useEffect(() => scrollTo(0, 0), [shown]);
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to content
      </button>
      <Header live={live} view={view} />
      <main id="content" tabIndex={-1}>
        {live && <StackUpdates live={live} />}
        {live ? <View key={shown} live={live} route={route} /> : <Empty>Connecting to the emulator …</Empty>}
      </main>
    </>
  );
}

function View({ live, route: [view = "deployments", id, part, item] }: { live: Live; route: string[] }) {
  switch (view) {
    case "deployments":
      if (id === undefined) return <ListView kind={deployments} live={live} />;
      return <DeploymentView live={live} id={id} tab={part} line={item} />;
    case "assistants":
      if (id === undefined || part === undefined) return <ListView kind={assistants} live={live} />;
      return <AssistantView live={live} deploymentId={id} id={part} />;
    case "crons":
      if (id === undefined || part === undefined) return <ListView kind={crons} live={live} />;
      return <CronView live={live} deploymentId={id} id={part} />;
    case "threads":
      if (id === undefined || part === undefined) return <ListView kind={threads} live={live} />;
      return <ThreadView live={live} deploymentId={id} id={part} />;
    case "exports":
      if (id !== undefined) return <ExportView live={live} id={id} />;
      return (
        <>
          <ListView kind={exports} live={live} />
          <BucketSection version={live.lastRequest} />
        </>
      );
    case "requests":
      return <RequestLog live={live} opened={id} />;
    case "controls":
      return <Controls live={live} />;
    default:
      return (
        <Empty>
          There is no such view. <a href="#/deployments">Show the deployments</a>
        </Empty>
      );
  }
}

/** Renders again each second: the clock and the relative times move. */
function useTick(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

function focusContent(): void {
  document.getElementById("content")?.focus();
}
