/** The version of this package. The version of the interface is in http/openapi.ts. */
export const emulatorVersion = "0.1.0";
