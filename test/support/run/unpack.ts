/** Teardown of the tests that run packages as users install them. */
export { removePackages as default } from "./pack";
