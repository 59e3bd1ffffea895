import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

/** A machine whose system clock starts at `system_ms`; each read of a clock is followed by the next of the waits. */
async function machine(system_ms: number, waits_ms: readonly number[] = []) {
  const waits = [...waits_ms]
  let [steady_ms, set_ms] = [0, 0]
  vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(system_ms)
  const read = <T>(value: T): T => {
    steady_ms += waits.shift() ?? 0.001
    return value
  }
  vi.spyOn(performance, 'now').mockImplementation(() => read(steady_ms))
  vi.spyOn(Date, 'now').mockImplementation(() => read(Math.floor(system_ms + set_ms + steady_ms)))
  const { wallClock } = await import('../../primitives/wall-clock.ts')
  return {
    wallClock,
    pass: (ms: number) => {
      steady_ms += ms
    },
    set: (ms: number) => {
      set_ms += ms
    },
    now_ms: () => system_ms + set_ms + steady_ms,
  }
}

const START_MS = 1_800_000_000_000

test('has microseconds, and follows a system clock that is set forward or back, and a machine that slept', async () => {
  const { wallClock, pass, set, now_ms } = await machine(START_MS)
  pass(0.25)
  expect(wallClock() % 1000).toBeGreaterThan(0)
  for (const ms of [3_600_000, -7_200_000, 50, -50]) {
    set(ms)
    pass(1)
    expect(Math.abs(wallClock() / 1000 - now_ms())).toBeLessThan(2)
  }
})

test('a process that has to wait between two reads of the clocks sees no step back', async () => {
  const waits = fc.array(fc.oneof(fc.constant(0.001), fc.double({ min: 0, max: 30, noNaN: true })), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(waits, fc.double({ min: 0, max: 1, noNaN: true }), async (waits_ms, fraction) => {
      vi.resetModules()
      const { wallClock, now_ms } = await machine(START_MS + fraction, waits_ms)
      let last = 0
      for (let n = 0; n < 30; n += 1) {
        const before_ms = now_ms()
        const at = wallClock()
        expect(at).toBeGreaterThanOrEqual(last)
        expect(at / 1000).toBeGreaterThanOrEqual(Math.floor(before_ms))
        expect(at / 1000).toBeLessThan(now_ms() + 2)
        last = at
      }
      vi.restoreAllMocks()
    }),
  )
})

test('is never behind what another process reads from the system clock', async () => {
  const { wallClock, pass, set, now_ms } = await machine(START_MS)
  for (const ms of [0.4, 1.9, 0.4]) {
    set(ms) // a system clock that is slewed forward, a little at a time
    pass(1)
    const asked_ms = Math.floor(now_ms())
    expect(wallClock() / 1000).toBeGreaterThanOrEqual(asked_ms)
  }
})
