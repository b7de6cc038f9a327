import { useState } from "preact/hooks";
import { send } from "../../data/api";
import type { Fault } from "../../data/types";
import { SelectField, TextField } from "../../ui/fields";
import { Empty, Text } from "../../ui/text";
import { useAction } from "./action";
import { bodyOf, describeFault, FAULT_KINDS, type FaultField, type FaultKind, fieldsOf } from "./fault-kinds";

/** Adds faults, and lists those that have not been used up. */
export function FaultControls({ faults }: { faults: Fault[] }) {
  const { run, isRunning, message } = useAction();
  const remove = (fault: Fault) => () =>
    run(async () => {
      await send("DELETE", `/faults/${fault.id}`);
      return `Fault ${fault.id} was removed.`;
    });
  return (
    <section aria-labelledby="faults">
      <h3 id="faults">Faults</h3>
      <p class="hint">Makes the platform fail in a way that a real one can, to see what Pulumi does.</p>
      <FaultForm isRunning={isRunning} run={run} />
      {message}
      <h4>Active faults</h4>
      {faults.length === 0 && <Empty>None.</Empty>}
      <ul class="faults">
        {faults.map((fault) => (
          <li key={fault.id} class="card">
            <Text>{describeFault(fault)}</Text>
            <button type="button" disabled={isRunning} onClick={remove(fault)} aria-label={`Remove fault ${fault.id}`}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const TITLES = Object.entries(FAULT_KINDS).map(([name, { title }]): [string, string] => [name, title]);

interface FaultFormProps {
  isRunning: boolean;
  run(action: () => Promise<string>): Promise<void>;
}

function FaultForm({ isRunning, run }: FaultFormProps) {
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
    <form class="fault" aria-label="Add a fault" onSubmit={add}>
      <SelectField label="What happens" value={name} options={TITLES} onChange={selectKind} />
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => setChanges({ ...changes, [field.name]: value })}
        />
      ))}
      <p class="hint">{kind.effect}</p>
      <button type="submit" disabled={isRunning}>
        Add fault
      </button>
    </form>
  );
}

interface FieldProps {
  field: FaultField;
  value: string;
  onChange(value: string): void;
}

function Field({ field, value, onChange }: FieldProps) {
  const { title, placeholder, isNumber, options, wide } = field;
  if (options) return <SelectField label={title} value={value} options={options} onChange={onChange} />;
  const digits = isNumber ? ({ inputMode: "numeric", pattern: "[0-9]+", required: true } as const) : {};
  return (
    <TextField
      label={title}
      value={value}
      onChange={onChange}
      class={wide && "wide"}
      placeholder={placeholder}
      {...digits}
    />
  );
}
