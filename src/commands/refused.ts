/** A sentence for the operator: the command cannot do what was asked, and nothing was written. */
export class Refused extends Error {}
