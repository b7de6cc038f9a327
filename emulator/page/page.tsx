import { useEffect, useState } from "preact/hooks";
import { LiveContext, useConnection } from "./data/live";
import { useRoute } from "./data/route";
import { Button } from "./ui/fields";
import { Header } from "./ui/header";
import { Empty, Heading } from "./ui/text";
import { AssistantView } from "./views/assistant";
import { BucketSection } from "./views/bucket";
import { ClockControls } from "./views/controls/clock";
import { FaultControls } from "./views/controls/faults";
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
  const live = useConnection();
  const route = useRoute();
  const [view = "deployments"] = route;
  const shown = view === "requests" ? view : route.slice(0, view === "deployments" ? 2 : undefined).join("/");
  // The clock and the relative times move.
  const [, tick] = useState(0);
  useEffect(() => void setInterval(() => tick((count) => count + 1), 1000), []);
  // Another view starts at its top.
  useEffect(() => scrollTo(0, 0), [shown]);
  return (
    <LiveContext.Provider value={live}>
      <Button text="Skip to content" class="skip" onClick={() => document.getElementById("content")?.focus()} />
      <Header live={live} view={view} />
      <main id="content" tabIndex={-1}>
        {live && <StackUpdates />}
        {live ? <View key={shown} route={route} /> : <Empty>Connecting to the emulator …</Empty>}
      </main>
    </LiveContext.Provider>
  );
}

function View({ route: [view = "deployments", id, part, item] }: { route: string[] }) {
  const object = id !== undefined && part !== undefined && { deploymentId: id, id: part };
  switch (view) {
    case "deployments":
      return id === undefined ? <ListView kind={deployments} /> : <DeploymentView id={id} tab={part} line={item} />;
    case "assistants":
      return object ? <AssistantView {...object} /> : <ListView kind={assistants} />;
    case "crons":
      return object ? <CronView {...object} /> : <ListView kind={crons} />;
    case "threads":
      return object ? <ThreadView {...object} /> : <ListView kind={threads} />;
    case "exports":
      if (id !== undefined) return <ExportView id={id} />;
      return (
        <>
          <ListView kind={exports} />
          <BucketSection />
        </>
      );
    case "requests":
      return <RequestLog opened={id} />;
    case "controls":
      return (
        <>
          <Heading title="Clock and faults" />
          <ClockControls />
          <FaultControls />
        </>
      );
    default:
      return (
        <Empty>
          There is no such view. <a href="#/deployments">Show the deployments</a>
        </Empty>
      );
  }
}
