import { useState } from "preact/hooks";
import type { Checkpoint, Turn } from "../../data/agent/types";
import { formatTime, visible } from "../../ui/format";
import { Messages } from "../../ui/messages";
import { Json } from "../../ui/text";

/** One turn: its messages, and its checkpoints with the keys that each changed. Each opens the state after it. */
export function TurnItem({ turn, number, now }: { turn: Turn; number: number; now: number }) {
  const [openId, setOpenId] = useState<string>();
  const open = turn.checkpoints.find(({ id }) => id === openId);
  const at = turn.checkpoints[0]?.at;
  return (
    <li>
      <p class="minor">{`Turn ${number}${at === undefined ? "" : `, ${formatTime(at, now)}`}`}</p>
      <Messages messages={turn.messages} />
      <ul class="heading steps" aria-label={`Checkpoints of turn ${number}`}>
        {turn.checkpoints.map((checkpoint) => (
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
