import { render } from "preact";
import { connect } from "./data/live";
import { Page } from "./page";

connect();
const root = document.getElementById("page");
if (root) render(<Page />, root);
