import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitRevisions, unseenTick } from '../../../pipelines/index/waiting-revisions.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'

const T0 = toMicros('2026-01-01T00:00:00Z')
const at = (tick: number): Micros => T0 + tick * MICROS_PER_DAY

/** Revision of a tick: its level, the tick whose level it shows (its own by default), and whether the committee decides. */
const revision = (tick: number, level: string | null, shows = tick, restatement: string | null = 'official') => ({
  tick,
  observation: { tick_at: formatMicros(at(tick)), level, source_cutoff_at: formatMicros(at(shows)) },
  revision: { restatement },
})
const ticksOf = (list: readonly { readonly tick: number }[]) => list.map(({ tick }) => tick)
const noLevel = () => null

test('a stale tick waits with the tick whose level it shows', () => {
  const planned = [
    revision(1, '55', 1, 'committee'),
    revision(2, '55', 1),
    revision(3, '60'),
    revision(4, '60', 3),
    revision(5, null),
    revision(6, '60', 4, null),
  ]
  const { due, waiting } = splitRevisions(planned, noLevel)
  expect([ticksOf(due), ticksOf(waiting)]).toEqual([
    [3, 4, 5, 6],
    [1, 2],
  ])
})

test('a level that is published already is shown at once', () => {
  const planned = [revision(2, '55', 1)]
  expect(splitRevisions(planned, () => '55').waiting).toEqual([])
  expect(splitRevisions(planned, () => '50').due).toEqual([])
  expect(unseenTick(planned, () => '55')).toBeNull()
  expect(unseenTick(planned, () => '50')).toEqual({ tick_at: planned[0]!.observation.tick_at, source: at(1) })
})

test('whatever waits, each level that is due is shown by a tick that is due or published', () => {
  const step = fc.record({
    level: fc.constantFrom('50', '55', null),
    back: fc.nat(3),
    restatement: fc.constantFrom('official', 'erratum', 'committee', null),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.constantFrom('50', null), (steps, old_level) => {
      const planned = steps.map(({ level, back, restatement }, tick) =>
        revision(tick, level, Math.max(0, tick - back), restatement),
      )
      const { due, waiting } = splitRevisions(planned, () => old_level)
      expect(unseenTick(due, () => old_level)).toBeNull()
      expect([...ticksOf(due), ...ticksOf(waiting)].sort((a, b) => a - b)).toEqual(ticksOf(planned))
      expect(due.every((one) => one.revision.restatement !== 'committee')).toBe(true)
      // A tick waits only for a vote, or for a level that is not due.
      const by_level = waiting.filter((one) => one.revision.restatement !== 'committee')
      for (const one of by_level) {
        const earlier = due.filter(({ tick }) => tick < one.tick)
        expect(unseenTick([...earlier, one], () => old_level)?.tick_at).toBe(one.observation.tick_at)
      }
    }),
  )
})
