import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { answerAsOf, startChild, tempFolder, testWarehouse } from './fixtures.ts'
import { rowsOfStep } from './rows.ts'

/** Clocks of the writers, in milliseconds off the true one. */
const SKEWS_MS = [-30_000, -7_000, 7_000, 30_000]

/** The pinning reader's clock is ahead of all, so that it may pin what the fastest writer has published. */
const READER_MS = 31_000

export type SkewedRun = {
  readonly pins: number
  readonly broken: number
  /** Rows found, and rows that the writers were told to be stored. */
  readonly rows: number
  readonly acknowledged: number
  readonly seal_breaks: number
}

/**
 * Four processes with clocks up to 30 s off append to one table while a reader pins instants and asks them all again at
 * the end. `broken` counts pinned answers that changed. The writers go on until the reader has pinned `steps / 2` times, so
 * that a slow reader sees as much as a quick one.
 * @param without_seal_rule  the control: writers stamp by their clock alone
 */
export async function skewedWriters(steps: number, without_seal_rule: boolean): Promise<SkewedRun> {
  const now = async () => (Date.now() + READER_MS) * 1000
  const warehouse = await testWarehouse({ ports: { now, without_clock_guards: true } })
  const log = warehouse.log('index_link')
  const until_file = join(tempFolder(), 'enough')
  const writers = SKEWS_MS.map((skew_ms, i) => {
    const task = {
      root: warehouse.root,
      app_id: `writer${i}`,
      first_sequence: 1,
      steps,
      until_file,
      skew_ms,
      without_seal_rule,
      pause_ms: 5,
    }
    return startChild('append-writer.ts', task)
  })
  const pins: [number, string][] = []
  let running = true
  const all_ended = Promise.all(writers.map((writer) => writer.ended)).finally(() => {
    running = false
  })
  await Promise.all(writers.map((writer) => writer.printed(1)))
  while (running) {
    const { head_stamp } = await log.snapshot()
    // What is published now, what the true clock says, and what only a seal can make final.
    for (const at of [head_stamp ?? 0, Date.now() * 1000, (Date.now() + READER_MS) * 1000 - 1]) {
      await log.seal(at)
      pins.push([at, await answerAsOf(warehouse, at)])
    }
    if (pins.length >= steps / 2) await writeFile(until_file, '')
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  expect(await all_ended).toEqual([0, 0, 0, 0])
  let broken = 0
  for (const [at, answer] of pins) if ((await answerAsOf(warehouse, at)) !== answer) broken++
  const { rows, violations } = await log.verify()
  const seal_breaks = violations.filter(({ rule }) => rule === 'SEAL_BROKEN').length
  expect(
    violations.filter(({ rule }) => rule !== 'SEAL_BROKEN' && !(without_seal_rule && rule === 'STAMP_ORDER')),
  ).toEqual([])
  const steps_done = writers.flatMap(({ lines }) => lines.map((_, i) => rowsOfStep(i + 1)))
  const acknowledged = steps_done.reduce((sum, n) => sum + n, 0)
  return { pins: pins.length, broken, rows, acknowledged, seal_breaks }
}
