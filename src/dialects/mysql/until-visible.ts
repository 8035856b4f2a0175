/** Milliseconds from a change in the log, or in InnoDB's counter, until the commit is visible or its transaction is listed as open. */
export const untilVisible = 250;
