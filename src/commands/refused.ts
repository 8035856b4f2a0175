/** A sentence for the operator: why the command cannot do this. Nothing was written. */
export class Refused extends Error {}

/** A person has ended the questions with Ctrl-C. */
export class Cancelled extends Error {}
