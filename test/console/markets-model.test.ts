import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bar } from '../../console/charts/series.ts'
import { readRoute, writeRoute } from '../../console/data/address.ts'
import { limitsOf, MARKET_RANGES, windowOfRange } from '../../console/markets/chart-range.ts'
import { choiceOf, LIST_FIELDS, listQuery, nextRow, withChoice } from '../../console/markets/list-query.ts'
import { differenceMarks, marketLayers } from '../../console/markets/market-layers.ts'
import { MARKET_ENDPOINTS } from '../../protocol/endpoints/market-endpoints.ts'

describe('the address of the list', () => {
  const address =
    '/?view=markets&q=tide%20mark&venue=kalshi&category=Weather&state=open&band=MR2&sort=closes&cursor=abc'

  test('holds every filter, and asks for them by the names of the API', () => {
    const route = readRoute(address.slice(1))
    const query = listQuery(choiceOf(route), route.cursor)
    expect(query).toEqual({
      ...{ q: 'tide mark', venue_id: 'kalshi', category: 'Weather', status: 'open', rating_band: 'MR2' },
      ...{ sort: 'closes', limit: 25, cursor: 'abc' },
    })
    const known = Object.keys(MARKET_ENDPOINTS.list_markets.query)
    expect(Object.keys(query).filter((name) => !known.includes(name))).toEqual([])
    expect(readRoute(writeRoute(route).slice(1))).toEqual(route)
  })

  test('another choice begins at the first page, an empty one asks for all', () => {
    const route = readRoute(address.slice(1))
    for (const field of LIST_FIELDS) {
      expect(withChoice(field, 'x')).toEqual({ [field]: 'x', cursor: null })
      const cleared = { ...route, ...withChoice(field, '') }
      expect(choiceOf(cleared)[field]).toBeNull()
    }
    expect(listQuery(choiceOf(readRoute('')), null)).toEqual({ limit: 25 })
  })

  test.each([null, '', 'ab', '  a  '])('a search for %j is too short, so that it asks for all', (q) => {
    expect(listQuery({ ...choiceOf(readRoute('')), q }, null)).toEqual({ limit: 25 })
  })

  test('arrow keys move between rows and stay inside', () => {
    expect([nextRow('ArrowDown', 0, 3), nextRow('ArrowDown', 2, 3), nextRow('ArrowUp', 0, 3)]).toEqual([1, 2, 0])
    expect([nextRow('ArrowDown', -1, 3), nextRow('End', 0, 3), nextRow('Home', 2, 3)]).toEqual([0, 2, 0])
    expect([nextRow('a', 0, 3), nextRow('ArrowDown', 0, 0)]).toEqual([null, null])
  })
})

describe('the range of a chart', () => {
  const last = Date.UTC(2026, 0, 17, 12, 34) / 1000

  test('ends with the last record, as long as its name says', () => {
    const days = { P1D: 1, P7D: 7, P30D: 30 } as const
    for (const [name, length] of Object.entries(days)) {
      const { from, to } = windowOfRange(name, { last, first: null })
      expect(from <= last - length * 86_400).toBe(true)
      expect(to >= last && to - last <= 86_400).toBe(true)
      expect((to - from) / 86_400 - length).toBeLessThan(1.4)
    }
    const first = last - 90 * 86_400
    expect(windowOfRange('all', { last, first }).from).toBeLessThanOrEqual(first)
    expect(windowOfRange('unknown', { last, first })).toEqual(windowOfRange('P7D', { last, first }))
    expect(windowOfRange(null, { last, first })).toEqual(windowOfRange('P7D', { last, first }))
  })

  test('a free range is what the address says, and lies inside its limits', () => {
    const free = windowOfRange('2026-01-01T00:00:00Z/2026-01-02T00:00:00Z', { last, first: null })
    expect(free).toEqual({ from: Date.UTC(2026, 0, 1) / 1000, to: Date.UTC(2026, 0, 2) / 1000 })
    fc.assert(
      fc.property(
        fc.constantFrom(...MARKET_RANGES.map(([name]) => name)),
        fc.option(fc.integer({ min: last - 1e7, max: last }), { nil: null }),
        (name, first) => {
          const known = { last, first }
          const window = windowOfRange(name, known)
          const limits = limitsOf(window, known)
          expect(limits.from <= window.from && limits.to >= window.to).toBe(true)
          expect(window.from).toBeLessThan(window.to)
        },
      ),
    )
  })
})

describe('the layers of a market', () => {
  const bar = (t: number, volume: string | null): Bar => ({
    ...{ t, t_end: t + 60, open: '1', high: '1', low: '1', close: '1', volume, is_final: true },
    ...{ observation_count: 1, quality_states: [] },
  })
  const names = { field: 'last_trade', from: null, to: null }

  test('volumes are a layer where any is known; an unknown volume is not drawn as none', () => {
    const kinds = (volumes: readonly (string | null)[]) =>
      marketLayers({ bars: volumes.map((one, at) => bar(at * 60, one)), earlier: null }, names).map(({ kind }) => kind)
    expect(kinds([null, null])).toEqual(['candles'])
    expect(kinds([null, '0'])).toEqual(['candles', 'volume'])
    expect(kinds([])).toEqual(['candles'])
  })

  test('two instants of knowledge are candles and a dashed line, named by their instants', () => {
    const compared = { ...names, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
    const layers = marketLayers({ bars: [bar(0, null)], earlier: [bar(0, null)] }, compared)
    expect(layers.map(({ name, kind }) => [kind, name])).toEqual([
      ['candles', 'last trade, known 2026-01-02 00:00'],
      ['line', 'last trade, known 2026-01-01 00:00'],
    ])
    const differs = { t: 60, t_end: 120, kind: 'added', before: null, after: bar(60, null), fields: [] } as const
    expect(differenceMarks([differs])).toEqual([{ t: 90, name: 'added', kind: 'diamond' }])
  })
})
