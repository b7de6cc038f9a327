import { render } from "preact";
import { Page } from "./page";

const root = document.getElementById("page");
if (root) render(<Page />, root);
