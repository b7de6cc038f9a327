/** What JSX is compiled to: smaller than the automatic runtime, which names the children of each element. */
export { Fragment, h } from "preact";
