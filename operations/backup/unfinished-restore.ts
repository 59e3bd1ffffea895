/** File that marks a home whose restore has not ended: no service starts there. */
export const UNFINISHED_RESTORE = 'restore-unfinished.json'
