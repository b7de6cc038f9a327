/** The conversations that are moved between published servers, with the graphs of graphs/conversations. */
const ask = (content: string) => ({ messages: [{ role: "user", content }] });

/** By graph: the inputs of the runs of one thread. */
const CONVERSATIONS: Readonly<Record<string, readonly object[]>> = {
  chat: [ask("one"), ask("two")],
  trim: [ask("one"), ask("two")],
  ...Object.fromEntries(
    ["steps", "wide", "loop", "fan", "hop", "sent", "fail", "brk"].map((graph) => [graph, [{ log: [] }]]),
  ),
  ...Object.fromEntries(["ask", "two", "sub", "deep", "each"].map((graph) => [graph, [{ log: ["q"] }]])),
  mem2: [{ log: ["1"] }, { log: ["2"] }],
  memask: [{ log: ["1"] }, { answer: "yes" }, { log: ["2"] }],
  nested: [{ log: ["1"] }, { log: ["2"] }],
  mem: [{ log: ["1"] }, { log: ["2"] }],
  func: [{ number: 3 }],
};

/** A state that someone wrote at an earlier checkpoint, from which a run continued. */
interface Edit {
  /** Checkpoints after it. */
  newer: number;
  as_node: string;
  values: object;
}

export interface RecordedInputs {
  name: string;
  graph: string;
  /** In place of an input, `answer` answers the first question that waits. */
  inputs: readonly object[];
  edit?: Edit;
}

export const RECORDED: readonly RecordedInputs[] = [
  ...Object.entries(CONVERSATIONS).map(([graph, inputs]) => ({ name: graph, graph, inputs })),
  { name: "fail with another input", graph: "fail", inputs: [{ log: ["1"] }, { log: ["2"] }] },
  { name: "ask with another input", graph: "ask", inputs: [{ log: ["1"] }, { log: ["2"] }] },
  { name: "memask with another input", graph: "memask", inputs: [{ log: ["1"] }, { log: ["2"] }] },
  { name: "func with another input", graph: "func", inputs: [{ number: 20 }, { number: 30 }] },
  { name: "two with an answer", graph: "two", inputs: [{ log: ["q"] }, { answer: "yes" }] },
  { name: "func that waits", graph: "func", inputs: [{ number: 3 }, { number: 20 }] },
  {
    ...{ name: "steps with a branch", graph: "steps", inputs: [{ log: [] }] },
    edit: { newer: 2, as_node: "a", values: { log: ["edited"] } },
  },
  {
    ...{ name: "ask with an edited state", graph: "ask", inputs: [{ log: ["q"] }] },
    edit: { newer: 0, as_node: "before", values: { log: ["edited"] } },
  },
];

/** What is read again from the server that it was restored to, and restored to a third one. */
export const COPIED: readonly string[] = ["chat", "trim", "steps", "fan", "hop", "ask", "mem2"];

interface State {
  checkpoint: object;
  tasks: readonly { interrupts?: readonly { id: string }[] }[];
}

const questionsOf = (state: State | undefined) => (state?.tasks ?? []).flatMap(({ interrupts = [] }) => interrupts);

/** Sends a body to a path, and returns the body of the response. */
type Post = <T>(path: string, body: object) => Promise<T>;

/** Returns the ID of a thread with the conversation. */
export async function createConversation({ name, graph, inputs, edit }: RecordedInputs, post: Post): Promise<string> {
  const { thread_id: id } = await post<{ thread_id: string }>("/threads", { metadata: { conversation: name } });
  const path = `/threads/${id}`;
  const read = () => post<State[]>(`${path}/history`, { limit: 100 });
  const run = async (input: object | null) => {
    const isAnswer = input !== null && "answer" in input;
    const [question] = isAnswer ? questionsOf((await read())[0]) : [];
    const request = isAnswer ? { command: { resume: { [question?.id ?? ""]: input.answer } } } : { input };
    return post(`${path}/runs/wait`, { assistant_id: graph, ...request });
  };
  for (const input of inputs) await run(input);
  if (!edit) return id;
  const { newer, ...update } = edit;
  const [state] = (await read()).slice(newer);
  await post(`${path}/state`, { ...update, checkpoint: state?.checkpoint });
  await run(null);
  return id;
}
