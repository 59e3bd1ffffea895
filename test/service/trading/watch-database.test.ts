import { afterEach, expect, test } from 'vitest'
import { watchDatabase } from '../../../service/trading/watch-database.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

const TIMES = { look_ms: 5, answer_ms: 20 }
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Watches a database whose answers the test chooses, and collects the lines that are logged. */
function watched(first: () => Promise<unknown>) {
  const lines: string[] = []
  let [answers, looks, answered] = [first, 0, 0]
  const query = () => {
    looks += 1
    return answers()
  }
  const output = { log: (level: string, text: string) => void lines.push(`${level}: ${text}`) }
  const onAnswer = async () => {
    answered += 1
  }
  const pool = { query } as unknown as Pool
  ends.push(watchDatabase({ pool, output, onAnswer, times: TIMES }))
  const then = (next: () => Promise<unknown>) => {
    ;[answers, looks] = [next, 0]
  }
  return { lines, then, looks: () => looks, answered: () => answered }
}

const up = async () => ({})
const refused = () => Promise.reject(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))
const never = () => new Promise<never>(() => undefined)
const AWAY = /^warn: the trading database does not answer: ECONNREFUSED; retrying since \S+Z$/
const OVER = /^info: the trading database does not answer: ECONNREFUSED: over after \d+ s$/

test('a database that is away from the start is one warning, and one line when it answers', async () => {
  const { lines, then, looks, answered } = watched(refused)
  await expect.poll(looks).toBeGreaterThan(6)
  expect([lines, answered()]).toEqual([[expect.stringMatching(AWAY)], 0])
  then(up)
  await expect.poll(() => lines.length).toBe(2)
  expect([lines[1], answered()]).toEqual([expect.stringMatching(OVER), 1])
})

test('one look that fails is a restart, and no outage; what answers is called once', async () => {
  const { lines, then, looks, answered } = watched(up)
  await expect.poll(answered).toBe(1)
  let failed = false
  then(() => {
    if (failed) return up()
    failed = true
    return refused()
  })
  await expect.poll(looks).toBeGreaterThan(3)
  expect([lines, answered()]).toEqual([[], 1])
  then(refused)
  await expect.poll(() => lines).toEqual([expect.stringMatching(AWAY)])
})

test('a question without an answer is an outage, and is not asked a second time beside itself', async () => {
  const { lines, then, looks } = watched(up)
  await expect.poll(looks).toBeGreaterThan(1)
  then(never)
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^warn: .*: no answer within 0\.02 s; retrying/)])
  expect(looks()).toBe(1)
})
