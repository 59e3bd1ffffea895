import { readFileSync } from 'node:fs'

/** Versions of Node on which the project is tested every night, by their line; `npm test` runs on the oldest. */
export const RUNTIMES = JSON.parse(readFileSync(new URL('runtimes.json', import.meta.url), 'utf8'))
