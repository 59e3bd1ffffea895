import { existsSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isServiceError } from '../../../../primitives/errors.ts'
import { type ObjectStoreAccess, useObjectStores } from '../../../../warehouse/store/s3/object-store-access.ts'
import { openWarehouse, type Warehouse } from '../../../../warehouse/warehouse.ts'
import { linkRows, rowsOfStep } from '../rows.ts'

/** Task of this writer. */
export type WriterTask = {
  readonly root: string
  /** Access to the object store of `root`; with it, a step that fails is repeated until it is done. */
  readonly access?: ObjectStoreAccess
  readonly create?: boolean
  readonly app_id: string
  readonly first_sequence: number
  readonly steps: number
  /** Goes on after `steps` until a file of this path exists. */
  readonly until_file?: string
  readonly pause_ms?: number
  /** Names after which it appends at once in each step, each for an application of its own; absent: once, for `app_id`. */
  readonly fellows?: readonly string[]
  /** Error of its wall clock in milliseconds; with it, the writer's guards are off. */
  readonly skew_ms?: number
  readonly without_seal_rule?: boolean
  /** Kills itself with SIGKILL at the n-th time it reaches a point of a commit. */
  readonly die?: { readonly point: string; readonly time: number }
}

const RETRIED = ['OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE', 'WAREHOUSE_BUSY'] as const

/** One task, or several that this process carries out at once, each with a warehouse of its own. */
const tasks = [JSON.parse(process.argv[2]!) as WriterTask | readonly WriterTask[]].flat()
await Promise.all(tasks.map(write))

async function write(task: WriterTask): Promise<void> {
  const { skew_ms, die, access } = task
  if (access !== undefined) useObjectStores(access)
  const patiently = access === undefined ? <T>(work: () => Promise<T>) => work() : untilDone
  let reached = 0
  const open = () =>
    openWarehouse({
      root: task.root,
      create: task.create === true,
      ports: {
        ...(skew_ms === undefined
          ? {}
          : { now: async () => (Date.now() + skew_ms) * 1000, without_clock_guards: true }),
        ...(task.without_seal_rule === true ? { without_seal_rule: true } : {}),
        reach(point) {
          if (point === die?.point && ++reached === die.time) process.kill(process.pid, 'SIGKILL')
        },
      },
    })
  const warehouse = await patiently(open)
  const end = task.first_sequence + task.steps
  const goesOn = () => task.until_file !== undefined && !existsSync(task.until_file)
  for (let sequence = task.first_sequence; sequence < end || goesOn(); sequence++) {
    await patiently(() => appendStep(warehouse, task, sequence))
    if (task.pause_ms !== undefined) await setTimeout(task.pause_ms)
  }
  await warehouse.close()
}

/** Repeats what the store's faults made fail, as a caller who reads the error does. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!RETRIED.some((code) => isServiceError(error, code))) throw error
    }
  }
}

async function appendStep(warehouse: Warehouse, task: WriterTask, sequence: number): Promise<void> {
  const appended = await Promise.all(
    (task.fellows ?? ['']).map((fellow) => {
      const app_id = `${task.app_id}${fellow}`
      const rows = linkRows(rowsOfStep(sequence), `${app_id}-${sequence}`)
      const apart = task.fellows === undefined ? {} : { apart: fellow }
      const step = { app_id, app_sequence: sequence, stamp: { kind: 'wall' }, operation: 'TEST', ...apart } as const
      return warehouse.append('index_link', rows, step)
    }),
  )
  const { version } = appended[0]!
  const already_done = appended.some((one) => one.already_done)
  const { app_id } = task
  // One write call: a line is printed whole or not at all.
  writeSync(1, `${JSON.stringify({ app_id, sequence, version, already_done, at_ms: Date.now() })}\n`)
}
