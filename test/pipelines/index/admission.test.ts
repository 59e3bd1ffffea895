import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admissionOrder,
  admitLeg,
  currentResolution,
  isAdmitted,
  quoteAt,
  quoteSweep,
} from '../../../pipelines/index/admission.ts'
import { canFreeze } from '../../../pipelines/market/freeze.ts'
import {
  columns,
  DAY,
  legData,
  MINUTE,
  marketState,
  NOW,
  type QuoteText,
  resolution,
  SECOND,
} from '../../support/index-world.ts'

const GRACE = 5 * SECOND
const at = (offset: number, rest: QuoteText = {}): QuoteText => ({
  source_at: NOW + offset,
  reported_probability: '0.5',
  ...rest,
})
/** Record ids that a sweep over `cutoffs` shows. */
const sweep = (quotes: readonly QuoteText[], cutoffs: readonly number[], grace = GRACE) => {
  const data = columns(quotes)
  const next = quoteSweep(data, grace)
  return cutoffs.map((cutoff) => {
    const row = next(cutoff)
    return row < 0 ? null : data.recordId(row)
  })
}

describe('admitted', () => {
  const record = { source_at: NOW, received_at: NOW + GRACE, revision: 1 }

  test('source_at at the cutoff and received_at at cutoff + grace are in; a microsecond later they are not', () => {
    expect(isAdmitted(record, NOW, GRACE)).toBe(true)
    expect(isAdmitted({ ...record, source_at: NOW + 1 }, NOW, GRACE)).toBe(false)
    expect(isAdmitted({ ...record, received_at: NOW + GRACE + 1 }, NOW, GRACE)).toBe(false)
  })

  test('the sweep draws the same line', () => {
    expect(sweep([at(0, { received_at: NOW + GRACE })], [NOW - 1, NOW])).toEqual([null, 'obs_0'])
    expect(sweep([at(0, { received_at: NOW + GRACE + 1 })], [NOW, NOW + 1])).toEqual([null, 'obs_0'])
    expect(sweep([at(-MINUTE, { received_at: NOW + DAY })], [NOW, NOW + DAY - GRACE])).toEqual([null, 'obs_0'])
  })
})

describe('known later than received', () => {
  test('a record counts from when it could be used; which one is newest still goes by its arrival', () => {
    const quotes = [at(0), at(0, { received_at: NOW + 1, revision: 2, known_at: NOW + DAY })]
    expect(sweep(quotes, [NOW, NOW + DAY - GRACE - 1, NOW + DAY - GRACE])).toEqual(['obs_0', 'obs_0', 'obs_1'])
    const early = at(0, { received_at: NOW, known_at: NOW + 2 * DAY })
    expect(sweep([...quotes, early], [NOW + 3 * DAY])).toEqual(['obs_1'])
    const late = { source_at: NOW, received_at: NOW, revision: 1, known_at: NOW + GRACE + 1 }
    expect([isAdmitted(late, NOW, GRACE), isAdmitted({ ...late, known_at: NOW + GRACE }, NOW, GRACE)]).toEqual([
      false,
      true,
    ])
  })
})

describe('the newest admitted', () => {
  test('is by source time, not by arrival: an older observation that arrives late is never current', () => {
    const quotes = [at(0), at(-MINUTE, { received_at: NOW + MINUTE })]
    expect(sweep(quotes, [NOW, NOW + DAY])).toEqual(['obs_0', 'obs_0'])
  })

  test('of one source instant the one received last is current, then the greater revision', () => {
    const quotes = [
      at(0, { received_at: NOW + 2, revision: 2 }),
      at(0, { received_at: NOW + 1, revision: 3 }),
      at(0, { received_at: NOW + 3, revision: 4 }),
      at(0, { received_at: NOW + 3, revision: 5 }),
    ]
    expect(sweep(quotes.slice(0, 2), [NOW])).toEqual(['obs_0'])
    expect(sweep(quotes, [NOW])).toEqual(['obs_3'])
  })

  test('a revision counts from its own arrival on', () => {
    const quotes = [at(0), at(0, { received_at: NOW + DAY, revision: 2 })]
    expect(sweep(quotes, [NOW, NOW + DAY - GRACE - 1, NOW + DAY - GRACE])).toEqual(['obs_0', 'obs_0', 'obs_1'])
  })
})

const anyQuotes = fc.array(
  fc.record({ source: fc.nat(20), delay: fc.nat(30), revision: fc.integer({ min: 1, max: 4 }) }),
  { maxLength: 25 },
)
const quotesOf = (list: readonly { source: number; delay: number; revision: number }[]) =>
  list.map(({ source, delay, revision }) =>
    at(source * SECOND, { received_at: NOW + (source + delay) * SECOND, revision }),
  )

test('for any records the sweep is the definition: greatest (source_at, received_at, revision) of the admitted', () => {
  fc.assert(
    fc.property(anyQuotes, fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 8 }), (list, seconds) => {
      const quotes = quotesOf(list)
      const cutoffs = seconds.sort((a, b) => a - b).map((second) => NOW + second * SECOND)
      const rows = columns(quotes)
      const expected = cutoffs.map((cutoff) => {
        const best = quotes
          .map((_, row) => quoteAt(rows, row))
          .filter((quote) => isAdmitted(quote, cutoff, GRACE))
          .sort((a, b) => a.source_at - b.source_at || a.received_at - b.received_at || a.revision - b.revision)
          .at(-1)
        return best === undefined ? null : [best.source_at, best.received_at, best.revision]
      })
      const next = quoteSweep(rows, GRACE)
      const got = cutoffs.map((cutoff) => {
        const row = next(cutoff)
        return row < 0 ? null : [rows.source_at[row], rows.received_at[row], rows.revision[row]]
      })
      expect(got).toEqual(expected)
    }),
  )
})

test('causal: records that come after a cutoff do not change what was admitted at it', () => {
  fc.assert(
    fc.property(anyQuotes, fc.nat(60), (list, second) => {
      const cutoff = NOW + second * SECOND
      const quotes = quotesOf(list).map((quote, i) => ({ ...quote, record_id: `obs_${i}` }))
      const past = quotes.filter((quote) =>
        isAdmitted({ revision: 1, ...(quote as { source_at: number; received_at: number }) }, cutoff, GRACE),
      )
      expect(sweep(quotes, [cutoff])).toEqual(sweep(past, [cutoff]))
    }),
  )
})

test('rows that are in order already are not sorted again', () => {
  expect(admissionOrder(columns([at(0), at(1), at(2)]), GRACE).rows).toBeNull()
  expect([...admissionOrder(columns([at(2), at(1)]), GRACE).rows!]).toEqual([1, 0])
})

describe('resolutions', () => {
  const later = NOW + MINUTE
  const current = (list: Parameters<typeof currentResolution>[0], cutoff = NOW + DAY) => {
    const found = currentResolution(list, cutoff, 0)
    return found === null ? null : `${found.finality} ${found.payout?.toFixed() ?? 'none'}`
  }

  test('a dispute that ends is final from then on', () => {
    const list = [resolution(NOW, '1', { finality: 'disputed' }), resolution(later, '0')]
    expect(current(list, NOW)).toBe('disputed 1')
    expect(current(list, later)).toBe('final 0')
  })

  test('a corrected resolution replaces the payout of its chain, from its arrival on', () => {
    const list = [resolution(NOW, '0'), resolution(NOW, '1', { revision: 2, received_at: later })]
    expect(current(list, later - 1)).toBe('final 0')
    expect(current(list, later)).toBe('final 1')
  })

  test('a late record of a chain with an older arrival never becomes current', () => {
    expect(current([resolution(NOW, '1', { received_at: later }), resolution(NOW, '0', { revision: 2 })])).toBe(
      'final 1',
    )
  })

  test('a withdrawn one is gone; an earlier chain counts again', () => {
    const withdrawn = resolution(later, null, { finality: 'withdrawn', revision: 2, received_at: later + 1 })
    expect(current([resolution(later, '1'), withdrawn])).toBeNull()
    expect(current([resolution(NOW, '0'), resolution(later, '1'), withdrawn])).toBe('final 0')
    expect(current([resolution(later, '1'), withdrawn], later)).toBe('final 1')
  })

  test('none before its source time or its arrival', () => {
    expect(current([resolution(NOW, '1')], NOW - 1)).toBeNull()
    expect(current([resolution(NOW, '1', { received_at: later })], later - 1)).toBeNull()
  })
})

test('a leg at a cutoff: quote, other outcome, newest state, resolution', () => {
  const data = legData([at(0)], {
    other: columns([at(1, { record_id: 'obs_no' })]),
    states: [marketState(NOW, 'open'), marketState(NOW + MINUTE, 'paused')],
    resolutions: [resolution(NOW + 2 * MINUTE, '1')],
  })
  const admit = admitLeg(data, GRACE)
  const first = admit(NOW)
  expect([first.quote?.record_id, first.other, first.market?.status, first.resolution]).toEqual([
    'obs_0',
    null,
    'open',
    null,
  ])
  const later = admit(NOW + 2 * MINUTE)
  expect([later.quote?.record_id, later.other?.record_id, later.market?.status]).toEqual(['obs_0', 'obs_no', 'paused'])
  expect(later.resolution?.payout?.toFixed()).toBe('1')
})

test('only a halt or a contested resolution can freeze a leg', () => {
  expect(
    canFreeze(
      legData([], {
        states: [marketState(NOW, 'open'), marketState(NOW, 'paused')],
        resolutions: [resolution(NOW, '1')],
      }),
    ),
  ).toBe(false)
  expect(canFreeze(legData([], { states: [marketState(NOW, 'voided')] }))).toBe(true)
  expect(canFreeze(legData([], { resolutions: [resolution(NOW, '1', { finality: 'disputed' })] }))).toBe(true)
})
