import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Live, useLive } from "./data/live";
import { useRoute } from "./data/route";
import { Header } from "./ui/header";
import { Empty } from "./ui/text";
import { AssistantView } from "./views/assistant";
import { Assistants } from "./views/assistants";
import { Controls } from "./views/controls";
import { CronView } from "./views/cron";
import { Crons } from "./views/crons";
import { DeploymentView } from "./views/deployment/view";
import { Deployments } from "./views/deployments";
import { ExportView } from "./views/export";
import { Exports } from "./views/exports";
import { RequestLog } from "./views/requests/log";
import { ThreadView } from "./views/thread";
import { Threads } from "./views/threads";

/** The whole page: the header, and the view that the address names. */
export function Page(): JSX.Element {
  const live = useLive();
  const route = useRoute();
  const [view = "deployments"] = route;
  const shown = view === "requests" ? view : route.join("/");
  // Another view starts at its top.
  useEffect(() => scrollTo(0, 0), [shown]);
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to content
      </button>
      <Header live={live} view={view} />
      <main id="content" tabIndex={-1}>
        {live ? <View live={live} route={route} /> : <Empty>Connecting to the emulator …</Empty>}
      </main>
    </>
  );
}

function View({ live, route: [view = "deployments", id, secondId] }: { live: Live; route: string[] }): JSX.Element {
  switch (view) {
    case "deployments":
      return id === undefined ? <Deployments live={live} /> : <DeploymentView live={live} id={id} />;
    case "assistants":
      return id === undefined || secondId === undefined ? (
        <Assistants live={live} />
      ) : (
        <AssistantView live={live} deploymentId={id} id={secondId} />
      );
    case "crons":
      return id === undefined || secondId === undefined ? (
        <Crons live={live} />
      ) : (
        <CronView live={live} deploymentId={id} id={secondId} />
      );
    case "threads":
      return id === undefined || secondId === undefined ? (
        <Threads live={live} />
      ) : (
        <ThreadView live={live} deploymentId={id} id={secondId} />
      );
    case "exports":
      return id === undefined ? <Exports live={live} /> : <ExportView live={live} id={id} />;
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

function focusContent(): void {
  document.getElementById("content")?.focus();
}
