import { setTimeout } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Attempts of one commit against other writers before it fails. */
export const TRIES_MAX = 200
const BACKOFF: BackoffRule = { first_ms: 2, max_ms: 50 }

/** Waits a random time after a lost race, longer with each loss, so that writers do not stay in step. */
export async function backOff(tries: number): Promise<void> {
  await setTimeout(Math.random() * backoffMs(BACKOFF, tries))
}

/** Builds the error after `TRIES_MAX` lost races. */
export function busy(table: string): ServiceError {
  return new ServiceError(
    'WAREHOUSE_BUSY',
    `other writers committed to ${table} first ${TRIES_MAX} times in a row; try again`,
    { table },
  )
}
