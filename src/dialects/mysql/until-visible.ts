/** Milliseconds after the log or InnoDB's counter has moved until the change is visible, or its transaction is listed as open. */
export const visibleAfterMs = 250;
