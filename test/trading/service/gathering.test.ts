import { describe, expect, test } from 'vitest'
import type { Submission } from '../../../trading/engine/submission.ts'
import { Gathering } from '../../../trading/service/gathering.ts'
import { SubmissionQueue } from '../../../trading/service/submission-queue.ts'

const RULE = { wait_ms: 10, siblings: 4, enough: 16 }

/** One that has seen so many arrivals, the last of them now. */
function seen(arrivals: number, gap_ms: number) {
  const gathering = new Gathering(RULE)
  for (let n = arrivals - 1; n >= 0; n -= 1) gathering.arrived(1000 - n * gap_ms)
  return gathering
}

describe('a batch', () => {
  test.each([
    ['of one alone begins', seen(1, 0).waitMs(1, 1000, 1000), 0],
    ['begins while too few have come to tell a rate', seen(15, 1).waitMs(1, 1000, 1000), 0],
    // 15 gaps of 2.5 ms for 16 arrivals: 4.3 more are expected in 10 ms; of 2.7 ms: 3.95.
    ['waits where four more are expected', seen(16, 2.5).waitMs(1, 1000, 1000), 10],
    ['begins where fewer are', seen(16, 2.7).waitMs(1, 1000, 1000), 0],
    ['waits until its oldest has waited 10 ms', seen(100, 1).waitMs(5, 996, 1000), 6],
    ['begins where the oldest has waited so long already', seen(100, 1).waitMs(5, 990, 1000), 0],
    ['begins where the rest of that time brings too few', seen(100, 1).waitMs(5, 993, 1000), 0],
    ['waits where 15 wait', seen(100, 1).waitMs(15, 1000, 1000), 10],
    ['begins where 16 do', seen(100, 1).waitMs(16, 1000, 1000), 0],
    ['begins long after the others', seen(100, 1).waitMs(1, 2000, 2000), 0],
  ])('%s', (_, wait_ms, expected) => {
    expect(wait_ms).toBe(expected)
  })

  test('is not put off for a while after a wait that brought too few', () => {
    const gathering = seen(100, 1)
    gathering.delayed(4)
    expect(gathering.waitMs(1, 1000, 1000)).toBe(10)
    gathering.delayed(3)
    const waits = Array.from({ length: 33 }, () => gathering.waitMs(1, 1000, 1000))
    expect(waits).toEqual([...Array(32).fill(0), 10])
  })
})

describe('the queue', () => {
  const submission: Submission = { kind: 'stamp', at: 1 }
  const crowd = (queue: SubmissionQueue, count: number) => {
    for (let n = 0; n < count; n += 1) queue.add(submission).catch(() => undefined)
  }
  /** An hour would be noticed. */
  const rule = { ...RULE, wait_ms: 3_600_000 }

  test('begins at once for one alone', async () => {
    const queue = new SubmissionQueue(100, rule)
    crowd(queue, 1)
    await queue.gather()
    expect(queue.take(100)).toHaveLength(1)
  })

  test('gathers until enough wait, or it is woken', async () => {
    const queue = new SubmissionQueue(100, rule)
    crowd(queue, 20)
    expect(queue.take(100)).toHaveLength(20)
    crowd(queue, 2)
    const full = queue.gather()
    crowd(queue, 14)
    await full
    expect(queue.take(100)).toHaveLength(16)
    crowd(queue, 2)
    const woken = queue.gather()
    queue.wake()
    await woken
    expect(queue.take(100)).toHaveLength(2)
  })

  test('is woken by the first one after it has gathered', async () => {
    const queue = new SubmissionQueue(100, { ...RULE, wait_ms: 1, siblings: 1 })
    crowd(queue, 20)
    queue.take(100)
    crowd(queue, 2)
    await queue.gather()
    expect(queue.take(100)).toHaveLength(2)
    const idle = queue.wait(3_600_000)
    crowd(queue, 1)
    await idle
    expect(queue.length).toBe(1)
  })

  test('refuses at once where it is full, and counts it', async () => {
    const queue = new SubmissionQueue(1, rule)
    crowd(queue, 1)
    await expect(queue.add(submission)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect([queue.length, queue.refused]).toEqual([1, 1])
  })
})
