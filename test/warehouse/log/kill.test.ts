import { expect, test } from 'vitest'
import { sized } from '../../support/sized.ts'
import { killLoop } from './kill-loop.ts'

/** Kills of each of the two writers. */
const KILLS = sized(2, 20)

test(`${2 * KILLS} times kill -9: no acknowledged row is lost, a retried step is stored once`, {
  timeout: 300_000,
}, async () => {
  const report = await killLoop(KILLS)
  console.info(report)
  expect(report).toContain(`${2 * KILLS} kills`)
})

test('kill -9 of writers whose appends share commits: each append is stored whole and once, or not at all', {
  timeout: 300_000,
}, async () => {
  const report = await killLoop(KILLS, { fellows: ['x', 'y', 'z'] })
  console.info(report)
  expect(report).toContain(`${2 * KILLS} kills`)
})
