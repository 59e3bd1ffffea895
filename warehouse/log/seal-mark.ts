import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../primitives/instants.ts'
import type { StoreKey } from '../store/store.ts'
import type { TableName } from '../tables.ts'
import type { LogContext } from './log-context.ts'
import type { Snapshot } from './log-state.ts'
import { refresh } from './refresh.ts'

/** Longest wait for commits under way. One that began earlier may be of a killed writer and is not waited for. */
const AWAITED_MS = 1000
const CHECK_EVERY_MS = 10

/**
 * Seal mark of a table: an instant at or before which no commit is stamped that is announced after the mark was raised. It seals
 * without a commit, so that reads add no file to the log.
 */
export function sealKey(table: TableName): StoreKey {
  return `${table}/_sealed`
}

/**
 * Returns the instant after which the next commit is stamped: the log's last seal or the seal mark; null: there is neither.
 * A writer announces its commit first.
 */
export async function closedThrough(context: LogContext): Promise<Micros | null> {
  const { sealed_through } = context.state.clock
  const closed = Math.max(sealed_through ?? 0, await context.store.watermark(sealKey(context.table)))
  return closed === 0 ? sealed_through : closed
}

/** Raises the seal mark to an instant at least. */
export function raiseSealMark(context: LogContext, through: Micros): Promise<void> {
  return context.store.raiseWatermark(sealKey(context.table), through)
}

/**
 * Returns a version with every row published at or before `through`, if the seal mark is that high: commits announced before it was
 * raised may have an earlier stamp, so they have to end first.
 * @returns null: the mark is lower, or such a commit does not end
 */
export async function sealedByMark(context: LogContext, through: Micros): Promise<Snapshot | null> {
  if ((await context.store.watermark(sealKey(context.table))) < through) return null
  const awaited = context.ports.without_seal_wait === true ? NONE : await underWay(context)
  if (!(await haveEnded(context, awaited))) return null
  return (await refresh(context)).snapshot()
}

type UnderWay = ReadonlyMap<string, Micros>
const NONE: UnderWay = new Map()

/** Returns the announced commits of the table, by name. */
async function underWay({ store, table }: LogContext): Promise<UnderWay> {
  const announced = (await store.announced()).filter((one) => one.table === null || one.table === table)
  return new Map(announced.map(({ name, at }) => [name, at]))
}

async function haveEnded(context: LogContext, awaited: UnderWay): Promise<boolean> {
  for (let waited_ms = 0; awaited.size > 0; waited_ms += CHECK_EVERY_MS) {
    const oldest = (await context.store.now()) - AWAITED_MS * 1000
    if (waited_ms >= AWAITED_MS || [...awaited.values()].some((at) => at < oldest)) return false
    await sleep(CHECK_EVERY_MS)
    const left = await underWay(context)
    awaited = new Map([...awaited].filter(([name]) => left.has(name)))
  }
  return true
}
