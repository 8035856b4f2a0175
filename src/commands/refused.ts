/** A sentence for the operator: the command cannot do what was asked, and nothing was written. */
export class Refused extends Error {}

/** A person has ended the questions with Ctrl-C. */
export class Cancelled extends Error {}
