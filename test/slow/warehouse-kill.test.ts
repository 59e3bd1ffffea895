import { expect, test } from 'vitest'
import { killLoop } from '../warehouse/log/kill-loop.ts'

/** Kills in all; TIDEMARK_KILLS asks for another number. */
const KILLS = Number.parseInt(process.env.TIDEMARK_KILLS ?? '400', 10)

test(`${KILLS} times kill -9`, { timeout: 3_600_000 }, async () => {
  const report = await killLoop(Math.ceil(KILLS / 2))
  console.info(report)
  expect(report).toContain('none lost or doubled')
})
