import { expect, test } from 'vitest'
import { followClock } from '../../../service/live/follow-clock.ts'
import { createSimulatedClock } from '../../../simulator/server/simulated-clock.ts'

const HOUR = 3_600_000_000

test('a real clock that goes back while the simulated one catches up ends nothing, and moves nothing back', async () => {
  const clock = createSimulatedClock(0)
  const instants = [HOUR, HOUR + 1, HOUR - 2, HOUR + 2]
  const now = () => (clock.now() < HOUR - 600_000_000 ? HOUR : (instants.shift() ?? HOUR + 5))
  const seen: number[] = []
  clock.onAdvance((at) => seen.push(at))
  const stop = await followClock(clock, now, new AbortController().signal)
  stop()
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect([seen.at(-1), instants]).toEqual([HOUR, []])
})
