import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { createTable } from './create-table.ts'
import { type LogContext, oneAtATime } from './log-context.ts'
import { SEAL, type Snapshot } from './log-state.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { refresh } from './refresh.ts'
import { raiseSealMark, sealedByMark } from './seal-mark.ts'
import { tryCommit } from './try-commit.ts'

/**
 * Makes answers as of `through` final: later commits are stamped after it. Writes an empty SEAL commit, or nothing if the
 * table is already sealed or published that far. `sealForRead` does so without a commit.
 * @returns the sealed version
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE, VALIDATION_AS_OF_UNAVAILABLE (the store may only be read), WAREHOUSE_BUSY
 */
export async function seal(context: LogContext, through: Micros): Promise<Snapshot> {
  const state = await refresh(context)
  if (isSealed(state.clock.sealed_through, through)) return state.snapshot()
  await checkPast(context, through)
  if (context.writable) return context.alone(() => commitSeal(context, through))
  return (await sealedByMark(context, through)) ?? refuseReadOnly(context, through)
}

/**
 * Does the same for a read by raising the seal mark. A commit is written only if a writer was killed, or takes too long: it makes the
 * commit under way fail, and the writer stamps its rows again, after the mark.
 */
async function sealForRead(context: LogContext, through: Micros): Promise<Snapshot> {
  const state = await refresh(context)
  if (isSealed(state.clock.sealed_through, through)) return state.snapshot()
  await checkPast(context, through)
  if (context.writable) await raiseSealMark(context, through)
  return (await sealedByMark(context, through)) ?? seal(context, through)
}

async function commitSeal(context: LogContext, through: Micros): Promise<Snapshot> {
  // A seal of a read adds no columns: the release that wrote the table must still be able to write it.
  if (context.state.version < 0) await createTable(context)
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

/** Default of the least time between two seals of a table that the reads of a process cause, in milliseconds. */
const SEAL_EVERY_MS = 1000

/** A version of the table with every row published through an instant; a read waits for it. */
export type SealedRead = { readonly through: Micros; readonly version: number }

/** Creates the seal that the reads of this process share: whoever asks before it begins is answered by the same one. */
export function sharedSeal(context: LogContext): (through: Micros) => Promise<SealedRead> {
  const { seal_every_ms = SEAL_EVERY_MS } = context.ports
  const inTurn = oneAtATime()
  let waiting: Promise<SealedRead> | null = null
  let wanted: Micros = 0
  let sealed_at_ms = Number.NEGATIVE_INFINITY
  const sealOnce = async (): Promise<SealedRead> => {
    const due_ms = sealed_at_ms + seal_every_ms - performance.now()
    if (due_ms > 0) await sleep(due_ms)
    waiting = null // whoever asks from here on may ask for a later instant
    sealed_at_ms = performance.now()
    const through = wanted
    const { version } = await sealForRead(context, through)
    return { through, version }
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

function refuseReadOnly(context: LogContext, through: Micros): never {
  const as_of = formatMicros(through)
  const { sealed_through } = context.state.clock
  const final = sealed_through === null ? 'none yet' : formatMicros(sealed_through)
  throw new ServiceError(
    'VALIDATION_AS_OF_UNAVAILABLE',
    `as_of is ${as_of}, but ${context.table} is final only through ${final} and this user may not seal it further; allowed: an earlier instant`,
    { as_of, table: context.table },
  )
}
