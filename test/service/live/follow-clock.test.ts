import { expect, test } from 'vitest'
import { followClock } from '../../../service/live/follow-clock.ts'
import { createSimulatedClock } from '../../../simulator/server/simulated-clock.ts'

const HOUR = 3_600_000_000

test.each([
  ['that moves between any two looks', HOUR],
  ['that is set back meanwhile', HOUR / 2],
])('a simulated clock catches up with a real one %s, and never goes back', async (_, later) => {
  const clock = createSimulatedClock(0)
  let looks = 0
  const now = () => {
    looks += 1
    return (clock.now() > HOUR / 2 ? later : HOUR) + looks
  }
  const seen: number[] = []
  clock.onAdvance((at) => seen.push(at))
  const stop = await followClock(clock, now, new AbortController().signal)
  stop()
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.at(-1)).toBeGreaterThan(later - 1_000_000)
})
