import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Mark } from '../../../pipelines/market/mark.ts'
import {
  filterOutlier,
  NO_OUTLIER_STATE,
  type OutlierDecision,
  type OutlierState,
} from '../../../pipelines/market/outlier.ts'
import { HOUR, MINUTE, mark, NOW, parameters } from '../../support/index-world.ts'

const P = parameters().outlier

/** Feeds marks one a minute; the last decision and the state after it. */
function feed(values: readonly string[], state: OutlierState = NO_OUTLIER_STATE, start = 0, p = P) {
  let last: OutlierDecision | null = null
  const verdicts: boolean[] = []
  values.forEach((value, i) => {
    const at = NOW + (start + i) * MINUTE
    last = filterOutlier(mark(value, at), last?.state ?? state, at, p, [])
    verdicts.push(last.accepted)
  })
  return { last: last! as OutlierDecision, verdicts }
}

/** Ten quiet marks around 0.400: median 0.400, sigma at its floor of 0.01. */
const QUIET = ['0.400', '0.401', '0.399', '0.400', '0.402', '0.398', '0.400', '0.401', '0.399', '0.400']
const quiet = feed(QUIET).last.state
const next = (value: string, state = quiet, peers: readonly Mark[] = [], at = NOW + 10 * MINUTE) =>
  filterOutlier(mark(value, at), state, at, P, peers)

describe('window', () => {
  test('acts from the fifth accepted mark on', () => {
    expect(feed(['0.40', '0.40', '0.40', '0.40', '0.90']).verdicts).toEqual([true, true, true, true, true])
    expect(feed(['0.40', '0.40', '0.40', '0.40', '0.40', '0.90']).verdicts.at(-1)).toBe(false)
  })

  test('keeps eleven', () => {
    expect(feed([...QUIET, '0.400', '0.401', '0.402']).last.state.accepted).toHaveLength(11)
  })

  test('holds marks up to window_max_age, boundary included', () => {
    const five = feed(['0.40', '0.40', '0.40', '0.40', '0.40']).last.state
    const at = NOW + HOUR
    expect(next('0.90', five, [], at).accepted).toBe(false)
    expect(next('0.90', five, [], at + 1)).toMatchObject({ accepted: true, window: null })
  })

  test('holds one mark per source observation, however often it is seen again', () => {
    const seen = mark('0.40', NOW)
    let state = NO_OUTLIER_STATE
    for (let i = 0; i < 20; i++) state = filterOutlier({ ...seen, confirmed_at: NOW + i }, state, NOW + i, P, []).state
    expect(state.accepted).toHaveLength(1)
    expect(state.accepted[0]!.confirmed_at).toBe(NOW + 19)
  })

  test('is not confirmed by carrying: a carried mark brings no news', () => {
    const state = filterOutlier(mark('0.40', NOW), NO_OUTLIER_STATE, NOW, P, []).state
    const carried = { ...mark('0.40', NOW), rule: 'M7' as const, confirmed_at: NOW + 5 }
    expect(filterOutlier(carried, state, NOW + 5, P, []).state).toBe(state)
  })

  test('names its observations', () => {
    expect(next('0.90').window!.source_ids).toHaveLength(10)
  })
})

describe('limit', () => {
  test('five sigma is accepted, a digit more is not; never under 0.05', () => {
    expect(next('0.450').accepted).toBe(true)
    expect(next('0.450001').accepted).toBe(false)
    expect(next('0.350').accepted).toBe(true)
    expect(next('0.349999').accepted).toBe(false)
  })

  test('disabled, it accepts everything', () => {
    const off = { ...P, enabled: false }
    expect(feed([...QUIET, '0.99'], NO_OUTLIER_STATE, 0, off).verdicts.every(Boolean)).toBe(true)
  })
})

describe('coming back', () => {
  const out = next('0.500').state
  const at = NOW + 11 * MINUTE

  test('after an exclusion 2.5 sigma is the limit, until a mark is inside it', () => {
    expect(next('0.425001', out, [], at).accepted).toBe(false)
    const back = next('0.425', out, [], at)
    expect(back.accepted).toBe(true)
    expect(back.limit!.toFixed()).toBe('0.025')
    expect(next('0.440', back.state, [], at + MINUTE).accepted).toBe(true)
  })

  test('(a) the third pending mark within 0.02 of the others is accepted, with them', () => {
    const run = feed(['0.500', '0.510', '0.520'], quiet, 10)
    expect(run.verdicts).toEqual([false, false, true])
    expect(run.last.state.accepted.slice(-3).map((m) => m.value.toFixed(3))).toEqual(['0.500', '0.510', '0.520'])
    expect(feed(['0.500', '0.510', '0.521'], quiet, 10).verdicts).toEqual([false, false, false])
  })

  test('(a) a mark inside the limit between them starts the count again', () => {
    expect(feed(['0.500', '0.510', '0.400', '0.515', '0.516'], quiet, 10).verdicts).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })

  test('(a) only the last three count: an earlier stray one does not stand in their way', () => {
    expect(feed(['0.600', '0.500', '0.510', '0.515'], quiet, 10).verdicts).toEqual([false, false, false, true])
  })

  test('(a) the same observation seen three times is one mark, not three', () => {
    const jump = mark('0.500', NOW + 10 * MINUTE)
    let state = quiet
    for (let i = 0; i < 3; i++) {
      const decision = filterOutlier(
        { ...jump, confirmed_at: NOW + (10 + i) * MINUTE },
        state,
        NOW + (10 + i) * MINUTE,
        P,
        [],
      )
      expect(decision.accepted).toBe(false)
      state = decision.state
    }
    expect(state.pending).toHaveLength(1)
  })

  test('(b) a mark accepted at another venue within 0.03 confirms it, boundary included', () => {
    expect(next('0.500', quiet, [mark('0.530', NOW)]).accepted).toBe(true)
    expect(next('0.500', quiet, [mark('0.530001', NOW)]).accepted).toBe(false)
  })
})

test('strictly causal: what comes later changes no earlier verdict', () => {
  const values = fc.array(
    fc.nat(1000).map((n) => (n / 1000).toFixed(3)),
    { minLength: 1, maxLength: 30 },
  )
  fc.assert(
    fc.property(values, fc.nat(29), (all, cut) => {
      expect(feed(all).verdicts.slice(0, cut + 1)).toEqual(feed(all.slice(0, cut + 1)).verdicts)
    }),
  )
})

test('a mark within 0.05 of a quiet median is never held back, and a level that stays is let in by the third mark', () => {
  const near = fc.integer({ min: -50, max: 50 }).map((n) => ((400 + n) / 1000).toFixed(3))
  fc.assert(fc.property(near, (value) => next(value).accepted))
  const far = fc.integer({ min: 460, max: 1000 }).map((n) => (n / 1000).toFixed(3))
  fc.assert(fc.property(far, (value) => feed([value, value, value], quiet, 10).verdicts.at(-1) === true))
})
