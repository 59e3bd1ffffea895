import { setTimeout } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Tries of one commit against other writers before it gives up. */
export const TRIES_MAX = 200
const BACKOFF: BackoffRule = { first_ms: 2, max_ms: 50 }

/** A random pause after a lost race, longer with each loss, so that writers do not stay in step. */
export async function backOff(tries: number): Promise<void> {
  await setTimeout(Math.random() * backoffMs(BACKOFF, tries))
}

/** The error after `TRIES_MAX` lost races. */
export function busy(table: string): ServiceError {
  return new ServiceError(
    'WAREHOUSE_BUSY',
    `${table} was committed to by others ${TRIES_MAX} times in a row; try again`,
    { table },
  )
}
