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

/** A revision: `hoursAgo`, its rollout began. */
export interface Rollout {
  tag: string;
  hoursAgo: number;
  /** Names of its secrets. */
  secrets: string[];
  failure?: RolloutFailure;
}

/** Why a rollout failed, and how long it took. */
export interface RolloutFailure {
  seconds: number;
  /** The beginning of the last line of the log before those of the failure. */
  stopsAt: string;
  log: { level: string; message: string }[];
}

/**
 * A conversation: `hoursAgo`, it began. Without a last response, it is interrupted by a question or ended by an error.
 */
export interface Conversation {
  hoursAgo: number;
  metadata: Record<string, string>;
  turns: [question: string, answer?: string][];
  interrupt?: string;
  error?: string;
}

export interface Agent {
  name: string;
  image: string;
  /** Oldest first. */
  rollouts: Rollout[];
  conversations: Conversation[];
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
    image: "registry.example/support-agent",
    rollouts: [
      { tag: "1.8.0", hoursAgo: 720, secrets: ["MODEL_API_KEY"] },
      {
        tag: "1.8.1",
        hoursAgo: 74,
        secrets: ["MODEL_API_KEY"],
        failure: {
          seconds: 312,
          stopsAt: "Waiting",
          log: [
            { level: "WARNING", message: "Replica 1 of 1 exited with code 1; starting it again" },
            { level: "WARNING", message: "Replica 1 of 1 exited with code 1; starting it again" },
            { level: "ERROR", message: "settings.py, line 14: KeyError: 'ORDERS_API_KEY'" },
            {
              level: "ERROR",
              message:
                "No replica passed the health check within 300 s: the process exits because ORDERS_API_KEY is not set",
            },
          ],
        },
      },
      { tag: "1.8.2", hoursAgo: 72.5, secrets: ["MODEL_API_KEY", "ORDERS_API_KEY"] },
    ],
    conversations: [
      {
        hoursAgo: 29,
        metadata: { customer: "c-2207", channel: "web" },
        turns: [
          ["Do you ship to Norway?", "We do, in five to seven days. Customs are included in the price."],
          ["And to Svalbard?", "Yes, but allow two more weeks: parcels wait for the next ship."],
        ],
      },
      {
        hoursAgo: 5,
        metadata: { customer: "c-1093", channel: "app" },
        turns: [
          ["Where is my order 4711?", "It left our warehouse this morning and arrives on Thursday."],
          ["Can I still change the address?", "Not any more, but you can collect it at the shop in Lindenstraße."],
          ["Then I'll do that. Thank you!", "You're welcome. Bring the confirmation and an ID."],
        ],
      },
      {
        hoursAgo: 2,
        metadata: { customer: "c-3318", channel: "mail" },
        turns: [
          ["I was charged twice.", "I found two charges of 89.90 for order 4698. One of them is a duplicate."],
          ["Please refund it."],
        ],
        interrupt: "Refund 89.90 for order 4698 to customer c-3318?",
      },
    ],
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
    image: "registry.example/research-agent",
    rollouts: [
      { tag: "0.3.5", hoursAgo: 718, secrets: ["MODEL_API_KEY", "SEARCH_API_KEY"] },
      { tag: "0.4.0", hoursAgo: 221, secrets: ["MODEL_API_KEY", "SEARCH_API_KEY"] },
    ],
    conversations: [
      {
        hoursAgo: 26,
        metadata: { team: "mobility" },
        turns: [
          ["What did the council decide on parking?", "Residents' zones grow by two streets from May."],
          ["Which streets?", "Gartenstraße and the north side of Am Markt, according to the minutes, item 9."],
        ],
      },
      {
        hoursAgo: 3,
        metadata: { team: "legal" },
        turns: [
          ["Compare the two drafts of the contract.", "The second moves liability to the carrier and drops clause 7."],
          ["List every clause that changed."],
        ],
        error: "RateLimitError: too many tokens a minute; try again in 20 s",
      },
    ],
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

/** A deployment that never became live, and therefore has no threads and no traces. */
export const failedDeployment: Pick<Agent, "name" | "image" | "rollouts"> = {
  name: "invoice-agent",
  image: "registry.example/invoice-agent",
  rollouts: [
    {
      tag: "0.1.0",
      hoursAgo: 20,
      secrets: ["MODEL_API_KEY"],
      failure: {
        seconds: 94,
        stopsAt: "Step 2/5",
        log: [
          { level: "WARNING", message: "Pull failed, trying again in 30 s: manifest unknown" },
          { level: "WARNING", message: "Pull failed, trying again in 60 s: manifest unknown" },
          {
            level: "ERROR",
            message:
              "Cannot pull registry.example/invoice-agent:0.1.0: manifest unknown. The repository has the " +
              "tags 0.1.0-rc1 and 0.1.0-rc2",
          },
        ],
      },
    },
  ],
};

/** Where the exports write to: a folder in the emulator's own bucket. */
export const destination = { display_name: "analytics bucket", bucket_name: "exports", prefix: "traces" };

/** The exports of an agent's traces: `days` until today, at once or one every night since. */
export const exportPlans = [
  { agent: "support-agent", days: 2, isNightly: true },
  { agent: "research-agent", days: 7, isNightly: false },
];

/** How many days the traces cover. */
export const days = 7;

/** The experiment: an agent's questions, asked repeatedly and scored. */
export const experiment = { agent: "support-agent", project: "support-agent-tone-experiment", rounds: 8 };
