import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { createTable } from './create-table.ts'
import { type LogContext, oneAtATime } from './log-context.ts'
import { SEAL, type Snapshot } from './log-state.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { refresh } from './refresh.ts'
import { tryCommit } from './try-commit.ts'

/**
 * Makes answers as of `through` final: later commits are stamped after it. Writes an empty SEAL commit, or nothing if the
 * table is already sealed or published that far.
 * @returns the sealed version
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, VALIDATION_AS_OF_UNAVAILABLE (the store may only be read), WAREHOUSE_BUSY
 */
export async function seal(context: LogContext, through: Micros): Promise<Snapshot> {
  const state = await refresh(context)
  if (isSealed(state.clock.sealed_through, through)) return state.snapshot()
  await checkPast(context, through)
  checkWritable(context, through)
  return context.alone(() => commitSeal(context, through))
}

async function commitSeal(context: LogContext, through: Micros): Promise<Snapshot> {
  await createTable(context)
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const { clock, version } = context.state
    if (isSealed(clock.sealed_through, through)) return context.state.snapshot()
    const sealed = await tryCommit(context, {
      version: version + 1,
      operation: SEAL,
      in_commit_ms: Math.floor(through / 1000),
      sealed_through: through,
      head_stamp: clock.head_stamp,
      actions: [],
      new_files: [],
    })
    if (sealed) return context.state.snapshot()
    await backOff(tries)
    await refresh(context)
  }
  throw busy(context.table)
}

/** Least time between two seals of a table that reads cause, in milliseconds. */
const SHARED_SEAL_EVERY_MS = 1000

/**
 * Creates the seal that the reads of this process share: whoever asks before it begins is answered by the same commit. It begins a
 * second after the last seal of the table at the earliest, whichever process wrote that; if rows published meanwhile seal far
 * enough, nothing is written.
 */
export function sharedSeal(context: LogContext): (through: Micros) => Promise<void> {
  const inTurn = oneAtATime()
  let waiting: Promise<void> | null = null
  let wanted: Micros = 0
  const sealOnce = async (): Promise<void> => {
    try {
      const { last_seal_ms } = await refresh(context)
      const due_ms = last_seal_ms + SHARED_SEAL_EVERY_MS - Math.floor((await context.store.now()) / 1000)
      if (due_ms > 0) await sleep(Math.min(due_ms, SHARED_SEAL_EVERY_MS))
    } finally {
      waiting = null // whoever asks from here on may ask for a later instant
    }
    await seal(context, wanted)
  }
  return (through) => {
    wanted = Math.max(wanted, through)
    waiting ??= inTurn(sealOnce)
    return waiting
  }
}

function isSealed(sealed_through: Micros | null, through: Micros): boolean {
  return sealed_through !== null && sealed_through >= through
}

async function checkPast(context: LogContext, through: Micros): Promise<void> {
  const now = await (context.ports.now ?? context.store.now)()
  if (through <= now) return
  throw asOfInFuture(through, now)
}

/** Builds the error for an as_of after now. */
export function asOfInFuture(as_of: Micros, now: Micros): ServiceError {
  const [asked, at] = [formatMicros(as_of), formatMicros(now)]
  return new ServiceError(
    'VALIDATION_AS_OF_IN_FUTURE',
    `as_of is ${asked}; allowed: an instant not after now (${at})`,
    { as_of: asked, now: at },
  )
}

function checkWritable(context: LogContext, through: Micros): void {
  if (context.writable) return
  const as_of = formatMicros(through)
  const { sealed_through } = context.state.clock
  const final = sealed_through === null ? 'none yet' : formatMicros(sealed_through)
  throw new ServiceError(
    'VALIDATION_AS_OF_UNAVAILABLE',
    `as_of is ${as_of}, but ${context.table} is final only through ${final} and this user may not seal it further; allowed: an earlier instant`,
    { as_of, table: context.table },
  )
}
