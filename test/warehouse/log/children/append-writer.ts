import { existsSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openWarehouse, type Warehouse } from '../../../../warehouse/warehouse.ts'
import { linkRows, rowsOfStep } from '../rows.ts'

/** Task of this writer. */
export type WriterTask = {
  readonly root: string
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

/** One task, or several that this process carries out at once, each with a warehouse of its own. */
const tasks = [JSON.parse(process.argv[2]!) as WriterTask | readonly WriterTask[]].flat()
await Promise.all(tasks.map(write))

async function write(task: WriterTask): Promise<void> {
  const { skew_ms, die } = task
  let reached = 0
  const warehouse = await openWarehouse({
    root: task.root,
    create: task.create === true,
    ports: {
      ...(skew_ms === undefined ? {} : { now: async () => (Date.now() + skew_ms) * 1000, without_clock_guards: true }),
      ...(task.without_seal_rule === true ? { without_seal_rule: true } : {}),
      reach(point) {
        if (point === die?.point && ++reached === die.time) process.kill(process.pid, 'SIGKILL')
      },
    },
  })
  const end = task.first_sequence + task.steps
  const goesOn = () => task.until_file !== undefined && !existsSync(task.until_file)
  for (let sequence = task.first_sequence; sequence < end || goesOn(); sequence++) {
    await appendStep(warehouse, task, sequence)
    if (task.pause_ms !== undefined) await setTimeout(task.pause_ms)
  }
  await warehouse.close()
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
