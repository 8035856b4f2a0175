/** Tells the operator why a command cannot be executed. Nothing has been written. */
export class Refused extends Error {}

/** The operator has ended the questions with Ctrl-C. */
export class Cancelled extends Error {}
