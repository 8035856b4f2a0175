/** Milliseconds after which a change in the log, or of InnoDB's counter, is visible, or its transaction is listed as open. */
export const untilVisible = 250;
