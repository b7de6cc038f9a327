import { useState } from "preact/hooks";
import { send } from "../../data/api";
import { useLive } from "../../data/live";
import type { Fault } from "../../data/types";
import { Button, SelectField, TextField } from "../../ui/fields";
import { Empty, Section, Text } from "../../ui/text";
import { type Action, useAction } from "./action";
import { bodyOf, describeFault, FAULT_KINDS, type FaultKind, fieldsOf } from "./fault-kinds";

/** Adds faults, and lists those that have not been used up. */
export function FaultControls() {
  const { faults } = useLive();
  const action = useAction();
  const remove = ({ id }: Fault) =>
    action.run(async () => {
      await send("DELETE", `/faults/${id}`);
      return `Fault ${id} was removed.`;
    });
  return (
    <Section title="Faults">
      <p class="hint">Makes the platform fail in a way that a real one can, to see what Pulumi does.</p>
      <FaultForm {...action} />
      {action.message}
      <h4>Active faults</h4>
      {faults.length === 0 && <Empty>None.</Empty>}
      <ul class="faults">
        {faults.map((fault) => (
          <li key={fault.id} class="row card">
            <Text>{describeFault(fault)}</Text>
            <Button
              text="Remove"
              aria-label={`Remove fault ${fault.id}`}
              disabled={action.isRunning}
              onClick={() => remove(fault)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const TITLES = Object.entries(FAULT_KINDS).map(([name, { title }]): [string, string] => [name, title]);
const DIGITS = { inputMode: "numeric", pattern: "[0-9]+", required: true } as const;

function FaultForm({ isRunning, run }: Action) {
  const [name, setName] = useState("rollout");
  const [changes, setChanges] = useState<Record<string, string>>({});
  const kind = FAULT_KINDS[name] as FaultKind;
  const fields = fieldsOf(kind);
  const values = Object.fromEntries(fields.map(({ name, initial = "" }) => [name, changes[name] ?? initial]));
  const selectKind = (selected: string) => {
    setName(selected);
    setChanges({});
  };
  const add = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      const { id } = await send<Fault>("POST", "/faults", bodyOf(kind, values));
      setChanges({});
      return `Fault ${id} is active. ${kind.effect}`;
    });
  };
  return (
    <form class="row filter fault" aria-label="Add a fault" onSubmit={add}>
      <SelectField label="What happens" value={name} options={TITLES} onChange={selectKind} />
      {fields.map(({ name, title: label, isNumber, options, placeholder }) => {
        const field = {
          label,
          value: values[name],
          onChange: (value: string) => setChanges({ ...changes, [name]: value }),
        };
        if (options) return <SelectField key={name} {...field} options={options} />;
        return <TextField key={name} {...field} placeholder={placeholder} {...(isNumber && DIGITS)} />;
      })}
      <p class="hint">{kind.effect}</p>
      <Button type="submit" text="Add fault" disabled={isRunning} />
    </form>
  );
}
