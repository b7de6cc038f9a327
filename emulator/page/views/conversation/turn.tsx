import { useState } from "preact/hooks";
import type { Checkpoint, Turn } from "../../data/agent/types";
import { useNow } from "../../data/live";
import { formatTime, visible } from "../../ui/format";
import { Messages } from "../../ui/messages";
import { Json } from "../../ui/text";

/** One turn: its messages, and its checkpoints with the keys that each changed. Each opens the state after it. */
export function TurnItem({ turn: { messages, checkpoints }, number }: { turn: Turn; number: number }) {
  const [openId, setOpenId] = useState<string>();
  const open = checkpoints.find(({ id }) => id === openId);
  const at = checkpoints[0]?.at;
  const now = useNow();
  return (
    <li>
      <p class="minor">{`Turn ${number}${at === undefined ? "" : `, ${formatTime(at, now)}`}`}</p>
      <Messages messages={messages} />
      <ul class="row steps plain" aria-label={`Checkpoints of turn ${number}`}>
        {checkpoints.map((checkpoint) => (
          <li key={checkpoint.id}>
            <button
              type="button"
              aria-expanded={checkpoint === open}
              onClick={() => setOpenId(checkpoint === open ? undefined : checkpoint.id)}
            >
              <strong>{nameOf(checkpoint)}</strong> {visible(checkpoint.keys.join(", "))}
            </button>
          </li>
        ))}
      </ul>
      {open && <Json value={open.state} label={`State after ${nameOf(open)}`} />}
    </li>
  );
}

const nameOf = ({ nodes }: Checkpoint) =>
  visible(nodes.map((node) => (node === "__start__" ? "start" : node)).join(", "));
