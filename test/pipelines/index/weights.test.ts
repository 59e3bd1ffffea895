import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capWeights, type GroupCaps, sqrtVolume, type WeightInput } from '../../../pipelines/index/weights.ts'
import { type Decimal, sumDecimals } from '../../../primitives/decimal.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { d } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'

const OFF: GroupCaps = { event: null, venue: null }
const input = (id: string, raw: string, rest: Partial<WeightInput> = {}): WeightInput => ({
  constituent_id: `con_${id}`,
  raw: d(raw),
  cap: null,
  group_event: null,
  group_venue: null,
  ...rest,
})
const weigh = (inputs: readonly WeightInput[], caps = OFF) => capWeights(inputs, caps).map((w) => w.toFixed(10))

describe('without caps', () => {
  test('weights are shares; the missing units go to the largest remainders, ties by constituent_id', () => {
    expect(weigh([input('a', '1'), input('b', '1'), input('c', '1')])).toEqual([
      '0.3333333334',
      '0.3333333333',
      '0.3333333333',
    ])
    expect(weigh([input('c', '1'), input('b', '1'), input('a', '1')]).at(-1)).toBe('0.3333333334')
    expect(weigh([input('a', '2'), input('b', '1')])).toEqual(['0.6666666667', '0.3333333333'])
  })

  test('a raw value of zero has weight zero', () => {
    expect(weigh([input('a', '3'), input('b', '0'), input('c', '1')])).toEqual([
      '0.7500000000',
      '0.0000000000',
      '0.2500000000',
    ])
  })
})

describe('group caps', () => {
  test('scale a group to its cap and give the rest to the others in proportion', () => {
    const [east, west] = [{ group_event: 'east' }, { group_event: 'west' }]
    const inputs = [input('a', '40', east), input('b', '40', east), input('c', '15', west), input('d', '5', west)]
    expect(weigh(inputs, { event: d('0.6'), venue: null })).toEqual([
      '0.3000000000',
      '0.3000000000',
      '0.3000000000',
      '0.1000000000',
    ])
  })

  test('work together with single caps', () => {
    const east = { group_event: 'east', cap: d('0.30') }
    const inputs = [input('a', '80', east), input('b', '5', east), input('c', '10', { cap: d('0.5') }), input('d', '5')]
    const weights = weigh(inputs, { event: d('0.40'), venue: null })
    expect(weights[0]).toBe('0.3000000000')
    expect(d(weights[0]!).plus(weights[1]!).lte('0.4')).toBe(true)
  })

  test('a constituent of no group is under no group cap', () => {
    expect(weigh([input('a', '9'), input('b', '1', { group_venue: 'v' })], { event: null, venue: d('0.5') })).toEqual([
      '0.9000000000',
      '0.1000000000',
    ])
  })

  test('caps that approach their result slowly are not refused', () => {
    const at = (event: string, venue: string) => ({ group_event: event, group_venue: venue, cap: d('0.30') })
    const inputs = [
      input('a', '9000', at('e1', 'v1')),
      input('b', '4000', at('e2', 'v1')),
      input('c', '3000', at('e2', 'v2')),
      input('d', '900', at('e3', 'v2')),
      input('e', '50', at('e4', 'v3')),
      input('f', '20', at('e5', 'v3')),
    ]
    const weights = capWeights(inputs, { event: d('0.30'), venue: d('0.60') })
    expect(sumDecimals(weights).toFixed()).toBe('1')
    expect(weights[1]!.plus(weights[2]!).lte('0.3')).toBe(true)
  })
})

describe('refusals', () => {
  test('single caps that sum below 1', () => {
    const inputs = ['a', 'b', 'c'].map((id) => input(id, '1', { cap: d('0.3') }))
    const { message } = refusal('INDEX_CAP_INFEASIBLE', () => capWeights(inputs, OFF))
    expect(message).toBe('the single caps sum to 0.9; allowed: caps that can hold the whole weight of 1')
  })

  test('a constituent without raw value carries none of the weight', () => {
    const inputs = ['1', '1', '1', '0'].map((raw, i) => input(String(i), raw, { cap: d('0.3') }))
    refusal('INDEX_CAP_INFEASIBLE', () => capWeights(inputs, OFF))
    refusal('INDEX_CAP_INFEASIBLE', () => capWeights([input('a', '0')], OFF))
  })

  test('groups that cannot hold 1, also because of their members own caps', () => {
    const groups = ['x', 'y'].map((group_event, i) => input(String(i), '1', { group_event }))
    const { message } = refusal('INDEX_CAP_INFEASIBLE', () => capWeights(groups, { event: d('0.4'), venue: null }))
    expect(message).toContain('2 event groups under caps.event 0.4 hold at most 0.8')
    const tight = [
      input('a', '1', { group_venue: 'v', cap: d('0.2') }),
      input('b', '1', { group_venue: 'w', cap: d('1') }),
    ]
    refusal('INDEX_CAP_INFEASIBLE', () => capWeights(tight, { event: null, venue: d('0.7') }))
  })

  test('caps of two kinds that no weights satisfy do not converge', () => {
    // All weight is in event x or at venue v: together they hold 0.8, though the events alone and the venues alone hold 1.
    const inputs = [0, 1, 2].flatMap((i) => [
      input(`x${i}`, '1', { group_event: 'x', group_venue: `w${i}` }),
      input(`v${i}`, '1', { group_event: `y${i}`, group_venue: 'v' }),
    ])
    const { message } = refusal('INDEX_CAP_NO_CONVERGENCE', () =>
      capWeights(inputs, { event: d('0.4'), venue: d('0.4') }),
    )
    expect(message).toContain('100 rounds; allowed: caps that leave more room')
  })
})

describe('for any basket', () => {
  const baskets = fc.array(
    fc.record({
      raw: fc.integer({ min: 1, max: 100_000 }),
      event: fc.option(fc.nat(8), { nil: null }),
      venue: fc.option(fc.nat(3), { nil: null }),
      cap: fc.option(fc.integer({ min: 20, max: 60 }), { nil: null }),
    }),
    { minLength: 4, maxLength: 14 },
  )
  const CAPS = { event: d('0.40'), venue: d('0.70') }
  const inputsOf = (
    basket: readonly { raw: number; event: number | null; venue: number | null; cap: number | null }[],
  ) =>
    basket.map(({ raw, event, venue, cap }, i) =>
      input(String(i).padStart(2, '0'), String(raw), {
        cap: cap === null ? null : d(String(cap)).div(100),
        group_event: event === null ? null : `e${event}`,
        group_venue: venue === null ? null : `v${venue}`,
      }),
    )
  const tryWeigh = (inputs: readonly WeightInput[]): Decimal[] | null => {
    try {
      return capWeights(inputs, CAPS)
    } catch (error) {
      if (isServiceError(error)) return null
      throw error
    }
  }
  const sumOf = (
    inputs: readonly WeightInput[],
    weights: readonly Decimal[],
    by: 'group_event' | 'group_venue',
    group: string,
  ) => sumDecimals(weights.filter((_, i) => inputs[i]![by] === group))

  test('weights sum to exactly 1 and respect every cap; a group by at most its share of rounding', () => {
    fc.assert(
      fc.property(baskets, (basket) => {
        const inputs = inputsOf(basket)
        const weights = tryWeigh(inputs)
        if (weights === null) return
        expect(sumDecimals(weights).toFixed()).toBe('1')
        inputs.forEach(({ cap }, i) => {
          if (cap !== null) expect(weights[i]!.lte(cap)).toBe(true)
        })
        const slack = d('1e-10').times(inputs.length)
        for (const { group_event, group_venue } of inputs) {
          if (group_event !== null)
            expect(sumOf(inputs, weights, 'group_event', group_event).lte(CAPS.event.plus(slack))).toBe(true)
          if (group_venue !== null)
            expect(sumOf(inputs, weights, 'group_venue', group_venue).lte(CAPS.venue.plus(slack))).toBe(true)
        }
      }),
    )
  })

  test('single capping is idempotent: capped weights are their own capping', () => {
    fc.assert(
      fc.property(baskets, (basket) => {
        const alone = inputsOf(basket).map((item) => ({ ...item, group_event: null, group_venue: null }))
        const weights = tryWeigh(alone)
        if (weights === null) return
        const again = capWeights(
          alone.map((item, i) => ({ ...item, raw: weights[i]! })),
          OFF,
        )
        expect(again.map(String)).toEqual(weights.map(String))
      }),
    )
  })

  test('the order of the constituents does not matter', () => {
    fc.assert(
      fc.property(baskets, (basket) => {
        const inputs = inputsOf(basket)
        const weights = tryWeigh(inputs)
        const reversed = tryWeigh([...inputs].reverse())
        expect(reversed?.reverse().map(String) ?? null).toEqual(weights?.map(String) ?? null)
      }),
    )
  })
})

test('sqrt of the median daily volume; no days, no weight', () => {
  expect(sqrtVolume(['100', '10000', '2500'].map(d)).toFixed()).toBe('50')
  expect(sqrtVolume(['100', '300'].map(d)).toFixed(6)).toBe('14.142136')
  expect(sqrtVolume([]).toFixed()).toBe('0')
})
