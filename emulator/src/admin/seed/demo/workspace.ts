/** The content of the demo workspace: agents, their questions and steps. */

/** A step of a trace with its child steps. */
export interface Step {
  name: string;
  run_type: "chain" | "llm" | "tool" | "retriever";
  /** Its own duration in milliseconds. */
  durationMs: [least: number, most: number];
  /** Its error, if it can fail. */
  errorMessage?: string;
  /** Its output is the output of the trace. */
  isAnswer?: true;
  steps?: Step[];
}

export interface Agent {
  name: string;
  image: string;
  model: { name: string; promptPrice: number; completionPrice: number };
  tracesPerDay: number;
  dialogs: [question: string, answer: string][];
  steps: Step[];
}

const large = { name: "large-2", promptPrice: 3e-6, completionPrice: 15e-6 };
const small = { name: "small-2", promptPrice: 25e-8, completionPrice: 125e-8 };

export const agents: Agent[] = [
  {
    name: "support-agent",
    image: "registry.example/support-agent:1.8.2",
    model: small,
    tracesPerDay: 70,
    dialogs: [
      ["Where is my order 4711?", "It left our warehouse this morning and arrives on Thursday."],
      ["Can I return shoes that I wore once?", "Yes, within 30 days, as long as you have the box."],
      ["I was charged twice.", "One of the two is a reservation; it disappears within three days."],
      ["How do I change my address?", "Under Account, Addresses. Open orders keep the old one."],
      ["Do you ship to Norway?", "We do, in five to seven days. Customs are included in the price."],
    ],
    steps: [
      { name: "classify_question", run_type: "llm", durationMs: [200, 600] },
      {
        name: "look_up",
        run_type: "chain",
        durationMs: [5, 15],
        steps: [
          { name: "find_customer", run_type: "tool", durationMs: [20, 90] },
          {
            name: "search_orders",
            run_type: "tool",
            durationMs: [60, 400],
            errorMessage: "ConnectionError: the order service returned status 503",
          },
        ],
      },
      { name: "answer", run_type: "llm", durationMs: [700, 2600], isAnswer: true },
    ],
  },
  {
    name: "research-agent",
    image: "registry.example/research-agent:0.4.0",
    model: large,
    tracesPerDay: 35,
    dialogs: [
      ["Summarise what is new in battery recycling.", "Three plants opened, and recovery of lithium passed 90 %."],
      ["Compare the two drafts of the contract.", "The second moves liability to the carrier and drops clause 7."],
      ["Which papers cite our 2024 study?", "Twelve, most of them on sampling bias."],
      ["What did the council decide on parking?", "Residents' zones grow by two streets from May."],
    ],
    steps: [
      { name: "plan", run_type: "llm", durationMs: [900, 2200] },
      {
        name: "gather",
        run_type: "chain",
        durationMs: [5, 20],
        steps: [
          { name: "search_documents", run_type: "retriever", durationMs: [150, 900] },
          {
            name: "read_page",
            run_type: "tool",
            durationMs: [300, 3000],
            errorMessage: "PageError: the page is behind a login",
          },
        ],
      },
      {
        name: "write",
        run_type: "llm",
        durationMs: [3000, 9000],
        isAnswer: true,
        errorMessage: "RateLimitError: too many tokens a minute; try again in 20 s",
      },
    ],
  },
];

/** A deployment that never became live, and therefore has no traces. */
export const failedDeployment = { name: "invoice-agent", image: "registry.example/invoice-agent:0.1.0" };

/** How many days the traces cover. */
export const days = 7;

/** The experiment: an agent's questions, asked repeatedly and scored. */
export const experiment = { agent: "support-agent", project: "support-agent-tone-experiment", rounds: 8 };
