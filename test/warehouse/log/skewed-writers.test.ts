import { expect, test } from 'vitest'
import { sized } from '../../support/sized.ts'
import { rowsOfStep } from './rows.ts'
import { skewedWriters } from './skewed-writers.ts'

const STEPS = sized(16, 40)
const ROWS = 4 * Array.from({ length: STEPS }, (_, i) => rowsOfStep(i + 1)).reduce((sum, n) => sum + n, 0)

test('four writers with clocks up to 30 s off: every row is stored once and every pinned answer stays', {
  timeout: 180_000,
}, async () => {
  const run = await skewedWriters(STEPS, false)
  console.info(`${run.rows} rows of four skewed writers, ${run.pins} pinned answers, ${run.broken} of them changed`)
  expect(run).toMatchObject({ rows: ROWS, broken: 0, seal_breaks: 0 })
  expect(run.pins).toBeGreaterThan(STEPS / 4)
})

test('control: without the seal rule the same writers do change pinned answers, and the audit sees it', {
  timeout: 180_000,
}, async () => {
  const run = await skewedWriters(STEPS, true)
  console.info(
    `without the seal rule: ${run.broken} of ${run.pins} pinned answers changed, ${run.seal_breaks} violations found`,
  )
  expect(run.rows).toBe(ROWS)
  expect(run.broken).toBeGreaterThan(0)
  expect(run.seal_breaks).toBeGreaterThan(0)
})
