/** Versions of Node on which the project is tested every night, by their line; `npm test` runs on the oldest. */
export const RUNTIMES = { 22: '22.23.3', 24: '24.21.0' }
