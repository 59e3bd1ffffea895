import { expect, test } from 'vitest'
import { sized } from '../../support/sized.ts'
import { skewedWriters } from './skewed-writers.ts'

const STEPS = sized(6, 40)

test('four writers with clocks up to 30 s off: every row is stored once and every pinned answer stays', {
  timeout: 180_000,
}, async () => {
  const run = await skewedWriters({ steps: STEPS, by: 'commit' })
  console.info(`${run.rows} rows of four skewed writers, ${run.pins} pinned answers, ${run.broken} of them changed`)
  expect(run).toMatchObject({ rows: run.acknowledged, broken: 0, seal_breaks: 0 })
})

test('control: without the seal rule the same writers do change pinned answers, and the audit sees it', {
  timeout: 180_000,
}, async () => {
  const run = await skewedWriters({ steps: STEPS, by: 'commit', without_seal_rule: true })
  console.info(
    `without the seal rule: ${run.broken} of ${run.pins} pinned answers changed, ${run.seal_breaks} violations found`,
  )
  expect(run.rows).toBe(run.acknowledged)
  expect(run.broken).toBeGreaterThan(0)
  expect(run.seal_breaks).toBeGreaterThan(0)
})

test('answers pinned by the seal mark stay, whatever four writers commit meanwhile', { timeout: 180_000 }, async () => {
  const run = await skewedWriters({ steps: STEPS, by: 'mark' })
  console.info(`${run.pins} answers pinned by mark, ${run.broken} of them changed, ${run.seals} seals by commit`)
  expect(run).toMatchObject({ rows: run.acknowledged, broken: 0, seal_breaks: 0 })
  expect(run.seals).toBeLessThan(run.pins / 4)
})
