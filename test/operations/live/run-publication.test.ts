import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextDue, runPublication } from '../../../operations/live/run-publication.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'

const SECOND: Micros = 1_000_000
const MINUTE: Micros = 60 * SECOND
const at = (time: string) => toMicros(`2026-01-01T${time}Z`)

/** A clock that only waiting and work move on. */
function world(start: string, work_ms: (call: number) => number) {
  let now = at(start)
  const stop = new AbortController()
  const calls: string[] = []
  const problems: unknown[] = []
  let running = 0
  const run = (ticks: number) =>
    runPublication({
      warehouse: { now: async () => now },
      signal: stop.signal,
      on_problem: (error) => problems.push(error),
      wait: async (wait_ms) => {
        now += wait_ms * 1_000
      },
      publisher: {
        async publishDue() {
          running += 1
          expect(running).toBe(1)
          const began = formatMicros(now).slice(11)
          calls.push(began)
          if (calls.length === ticks) stop.abort()
          const ms = work_ms(calls.length)
          now += Math.abs(ms) * 1_000
          running -= 1
          if (ms < 0) throw new RangeError('planted')
          return { at: formatMicros(now), levels: 0, marks: 0, commits: 0 }
        },
      },
    })
  return { calls, problems, run }
}

describe('runPublication', () => {
  test('publishes at once, then at each tick and its grace, whatever the work takes', async () => {
    const { calls, run } = world('00:00:30', (call) => 100 * call)
    await run(4)
    expect(calls).toEqual(['00:00:30Z', '00:01:05Z', '00:02:05Z', '00:03:05Z'])
  })

  test('never overlaps itself: what takes longer than a step is followed at once, and the beat is kept', async () => {
    const { calls, run } = world('00:00:05', (call) => (call === 1 ? 130_000 : 10))
    await run(3)
    expect(calls).toEqual(['00:00:05Z', '00:02:15Z', '00:03:05Z'])
  })

  test('a failure is told, and tried again with growing waits', async () => {
    const { calls, problems, run } = world('00:00:05', (call) => (call <= 3 ? -10 : 10))
    await run(5)
    expect(problems).toHaveLength(3)
    expect(calls).toEqual(['00:00:05Z', '00:00:05.510Z', '00:00:06.520Z', '00:00:08.530Z', '00:01:05Z'])
  })
})

test('the next instant at which a tick is due lies after now, at most a step away, on the beat', () => {
  const micros = fc.integer({ min: at('00:00:00'), max: at('23:59:59') })
  fc.assert(
    fc.property(micros, fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 90 }), (now, step_s, grace_s) => {
      const [step, grace] = [step_s * SECOND, grace_s * SECOND]
      const due = nextDue(now, step, grace)
      expect(due).toBeGreaterThan(now)
      expect(due - now).toBeLessThanOrEqual(step)
      expect((due - grace) % step).toBe(0)
    }),
  )
  expect(nextDue(at('00:01:05'), MINUTE, 5 * SECOND)).toBe(at('00:02:05'))
})
