/** Thrown if a command cannot run and nothing has been written; the message tells the operator why. */
export class Refused extends Error {}

/** Thrown if the operator ends the prompts with Ctrl-C. */
export class Cancelled extends Error {}
