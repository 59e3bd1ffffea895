import { describe, expect, test } from 'vitest'
import { linePlot } from '../../cli/report/line-plot.ts'
import { renderReplayReport } from '../../cli/report/replay-report.ts'
import type { ReplayLine } from '../../operations/replay-index.ts'

const line = (tick_at: string, level: string | null): ReplayLine => ({
  tick_at,
  source_cutoff_at: level === null ? null : tick_at,
  level,
  quality_state: level === null ? 'suspended' : 'valid',
  coverage_ratio: '1.000000',
  confidence: '0.5000',
  missing_constituent_ids: [],
  excluded_inputs: [],
  input_observation_ids: [],
  index_version: '1',
})
const DAY = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'] as const
const path = (svg: string) => /<path d="([^"]*)"/.exec(svg)![1]!
const plot = (ys: readonly (string | null)[]) =>
  linePlot([{ name: 'level', color: '#000', points: ys.map((y, x) => ({ x, y })) }], { first: 'a', last: 'b' })

describe('plots', () => {
  test('the highest value is at the top, the lowest at the bottom', () => {
    expect(path(plot(['1', '3', '2']))).toBe('M70.0 270.0L515.0 10.0L960.0 140.0')
  })

  test('a missing value interrupts the line, it is no zero', () => {
    expect(path(plot(['1', null, '2']))).toBe('M70.0 270.0M960.0 10.0')
  })

  test('one value, equal values and no value are drawn without dividing by zero', () => {
    expect(path(plot(['5']))).toBe('M70.0 140.0')
    expect(path(plot(['5', '5']))).toBe('M70.0 140.0L960.0 140.0')
    expect(plot([null])).toContain('nothing to plot')
  })

  test('a long line is thinned and keeps its extremes', () => {
    const ys = Array.from({ length: 50_000 }, (_, i) => (i === 31_337 ? '99' : i === 40_000 ? '-99' : String(i % 7)))
    const drawn = path(plot(ys))
    expect(drawn.split('L').length).toBeLessThan(2_500)
    expect([drawn.includes(' 10.0'), drawn.includes(' 270.0')]).toEqual([true, true])
  })
})

describe('the report of a replay', () => {
  const lines = [line(DAY[0], '100.0000'), line(DAY[1], '101.0000'), line(DAY[2], null)]

  test('names each difference from the published levels, in basis points', () => {
    const published = [
      { tick_at: DAY[0], level: '100.0000', quality_state: 'valid' },
      { tick_at: DAY[1], level: '100.0000', quality_state: 'valid' },
      { tick_at: DAY[2], level: '102.0000', quality_state: 'valid' },
    ]
    const html = renderReplayReport({ title: 'Replay', lines, published })
    expect(html).toContain(`<tr><td>${DAY[1]}</td><td>100.0000</td><td>101.0000</td><td>100.00</td></tr>`)
    expect(html).toContain(`<tr><td>${DAY[2]}</td><td>102.0000</td><td>–</td><td>–</td></tr>`)
    expect(html).not.toContain(`<tr><td>${DAY[0]}</td>`)
  })

  test('says so where nothing differs', () => {
    expect(renderReplayReport({ title: 'Replay', lines, published: [] })).toContain('<p>None.</p>')
  })

  test('text from outside stays text', () => {
    const html = renderReplayReport({ title: '<script>alert("x")</script>', lines, published: [] })
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
  })
})
