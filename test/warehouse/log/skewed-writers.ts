import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { TableLog } from '../../../warehouse/warehouse.ts'
import { answerAsOf, type Child, startChild, tempFolder, testWarehouse } from './fixtures.ts'
import { rowsOfStep } from './rows.ts'

/** Clocks of the writers, in milliseconds off the true one. A read does not wait for the commits of a clock that is a second slow. */
const SKEWS_MS = { commit: [-30_000, -7_000, 7_000, 30_000], mark: [-300, 0, 900, 30_000] } as const

/** The pinning reader's clock is ahead of all, so that it may pin what the fastest writer has published. */
const READER_MS = 31_000

export type SkewedRun = {
  readonly pins: number
  readonly broken: number
  /** Rows found, and rows that the writers were told to be stored. */
  readonly rows: number
  readonly acknowledged: number
  readonly seal_breaks: number
  /** Commits that only seal. */
  readonly seals: number
}

export type SkewedOptions = {
  readonly steps: number
  /** How the reader seals: by a commit, or by the mark that reads use. */
  readonly by: 'commit' | 'mark'
  /** The control: writers stamp by their clock alone. */
  readonly without_seal_rule?: boolean
}

/**
 * Four writers with clocks up to 30 s off, in two processes, append to one table while a reader pins instants and asks them all again at
 * the end. `broken` counts pinned answers that changed. The writers go on until the reader has pinned `steps / 2` times, so
 * that a slow reader sees as much as a quick one.
 */
export async function skewedWriters(options: SkewedOptions): Promise<SkewedRun> {
  const { steps, by, without_seal_rule = false } = options
  const now = async () => (Date.now() + READER_MS) * 1000
  const ports = { now, without_clock_guards: true, seal_every_ms: 0 }
  const warehouse = await testWarehouse({ ports })
  const log = warehouse.log('index_link')
  const until_file = join(tempFolder(), 'enough')
  const tasks = SKEWS_MS[by].map((skew_ms, i) => {
    return {
      root: warehouse.root,
      app_id: `writer${i}`,
      first_sequence: 1,
      steps,
      until_file,
      skew_ms,
      without_seal_rule,
      pause_ms: 5,
    }
  })
  const writers = [tasks.slice(0, 2), tasks.slice(2)].map((two) => startChild('append-writer.ts', two))
  const pins: [number, string][] = []
  let running = true
  const all_ended = Promise.all(writers.map((writer) => writer.ended)).finally(() => {
    running = false
  })
  await Promise.all(writers.map(bothBegan))
  while (running) {
    const { head_stamp } = await log.snapshot()
    // What is published now, what the true clock says, and what only a seal can make final.
    for (const at of [head_stamp ?? 0, wallClock(), (Date.now() + READER_MS) * 1000 - 1]) {
      await (by === 'commit' ? log.seal(at) : log.sealForRead(at))
      pins.push([at, await answerAsOf(warehouse, at)])
    }
    if (pins.length >= steps / 2) await writeFile(until_file, '')
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  expect(await all_ended).toEqual([0, 0])
  let broken = 0
  for (const [at, answer] of pins) if ((await answerAsOf(warehouse, at)) !== answer) broken++
  const { rows, violations } = await log.verify()
  const seal_breaks = violations.filter(({ rule }) => rule === 'SEAL_BROKEN').length
  expect(
    violations.filter(({ rule }) => rule !== 'SEAL_BROKEN' && !(without_seal_rule && rule === 'STAMP_ORDER')),
  ).toEqual([])
  const steps_done = writers.flatMap(({ lines }) => lines.map((line) => rowsOfStep(stepOf(line).sequence)))
  const acknowledged = steps_done.reduce((sum, n) => sum + n, 0)
  const seals = await sealsOf(log)
  return { pins: pins.length, broken, rows, acknowledged, seal_breaks, seals }
}

const stepOf = (line: string) => JSON.parse(line) as { readonly app_id: string; readonly sequence: number }

/** Waits until both writers of a process have been told of a commit, or it has ended. */
async function bothBegan({ lines, printed }: Child): Promise<void> {
  for (let count = 1; new Set(lines.map((line) => stepOf(line).app_id)).size < 2; count = lines.length + 1) {
    await printed(count)
    if (lines.length < count) return
  }
}

async function sealsOf(log: TableLog): Promise<number> {
  let seals = 0
  for (let version = 0; ; version++) {
    const commit = await log.commit(version)
    if (commit === null) return seals
    if (commit.info.operation === 'SEAL') seals++
  }
}
