/** Milliseconds that may pass after the log or InnoDB's counter has moved, until the change is visible or its transaction listed as open. */
export const visibleAfterMs = 250;
