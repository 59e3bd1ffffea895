import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TickInput } from '../../pipelines/index/exact/tick-inputs.ts'
import { contributionChart } from '../../report/contribution-chart.ts'
import { selectSeries } from '../../report/series-selection.ts'
import { visibleRuns } from '../../report/state-band.ts'
import { patternDefs, stateFill } from '../../report/state-patterns.ts'
import { extendRuns, type StateRun } from '../../report/state-runs.ts'
import { valueDomain } from '../../report/value-axis.ts'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'

const run = (state: string, from: number, to: number): StateRun => ({ state, from, to, ticks: 1 })

describe('states', () => {
  test('ticks in a row with one state are one run', () => {
    const runs: StateRun[] = []
    for (const [at, state] of ['valid', 'valid', 'stale', 'valid'].entries())
      extendRuns(runs, { state, at, to: at + 1 })
    expect(runs).toEqual([
      { state: 'valid', from: 0, to: 2, ticks: 2 },
      { state: 'stale', from: 2, to: 3, ticks: 1 },
      { state: 'valid', from: 3, to: 4, ticks: 1 },
    ])
  })

  test('every state but valid has a pattern, each its own', () => {
    const fills = QUALITY_STATES.map(stateFill)
    expect(fills[0]).toBe('none')
    expect(new Set(fills).size).toBe(QUALITY_STATES.length)
    for (const fill of fills.slice(1)) expect(patternDefs().text).toContain(`id="${/#(.*)\)/.exec(fill)![1]}"`)
  })

  test('a run that is narrower than a pixel is shown, and its wide neighbors keep their state', () => {
    const visible = visibleRuns([run('valid', 0, 50), run('stale', 50, 50.5), run('valid', 50.5, 100)], (at) => at)
    expect(visible.map(({ state }) => state)).toEqual(['valid', 'stale', 'valid'])
  })

  test('runs that share a pixel show the worst of their states', () => {
    const runs = ['valid', 'suspended', 'indicative', 'valid'].map((state, i) => run(state, i / 4, (i + 1) / 4))
    expect(visibleRuns(runs, (at) => at)).toEqual([{ x0: 0, x1: 1, state: 'suspended' }])
  })

  test('however many runs there are, a picture has at most two a pixel, without a hole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 3, noNaN: true }), { minLength: 1, maxLength: 400 }),
        (widths) => {
          let at = 0
          const runs = widths.map((width, i) => {
            const from = at
            at += width
            return run(i % 2 === 0 ? 'valid' : 'stale', from, at)
          })
          const visible = visibleRuns(runs, (place) => place)
          expect(visible.length).toBeLessThanOrEqual(2 * at + 2)
          for (const [i, { x0 }] of visible.entries()) expect(x0).toBe(i === 0 ? 0 : visible[i - 1]!.x1)
          expect(visible.at(-1)!.x1).toBe(at)
        },
      ),
    )
  })
})

const input = (constituent_id: string, contribution: string | null): TickInput => ({
  constituent_id,
  target_weight: '0.1000000000',
  weight_applied: contribution === null ? null : '0.1000000000',
  normalized_value: contribution === null ? null : '0.500000',
  freshness_class: contribution === null ? 'missing' : 'fresh',
  mark_rule: null,
  contribution,
})

describe('series of a stacked picture', () => {
  test('the largest come first; a missing one has no part', () => {
    const ticks = [
      [input('a', '1.0'), input('b', '3.0')],
      [input('a', null), input('b', '1.0')],
    ]
    const { names, parts } = selectSeries(ticks)
    expect(names).toEqual(['b', 'a'])
    expect(parts(ticks[1]!, 'contribution')).toEqual(['1.0', null])
  })

  test('beyond eight the others are added up exactly', () => {
    const tick = Array.from({ length: 10 }, (_, i) => input(`c${i}`, `${10 - i}.000000000001`))
    const { names, parts } = selectSeries([tick])
    expect(names).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'others (3)'])
    expect(parts(tick, 'contribution').at(-1)).toBe('6.000000000003')
  })
})

describe('stacked areas', () => {
  const chart = (columns: readonly (readonly (string | null)[] | null)[]) =>
    contributionChart({
      description: 'Contributions',
      domain: { from: 0, to: columns.length },
      names: ['a', 'b'],
      columns: columns.map((parts, at) => ({ at, until: at + 1, parts })),
      values: valueDomain(['4'], { count: 4, zero: true }),
      milestones: [],
      table: 'contributions',
    }).text
  const area = (svg: string, series: number) => new RegExp(`<path class="c${series}" d="([^"]*)"`).exec(svg)![1]!
  // 4 columns of 666 pixels in all, 236 to 16 for 0 to 4
  test('each part stands on the one before it', () => {
    const svg = chart([
      ['1', '1'],
      ['1', '3'],
      ['1', '3'],
      ['1', '1'],
    ])
    expect(area(svg, 0)).toBe('M58 181H724V236H58Z')
    expect(area(svg, 1)).toBe('M58 126H224.5V16H557.5V126H724V181H58Z')
  })

  test('a tick without parts is a gap, a missing part leaves its area and the others close up', () => {
    const svg = chart([['1', '1'], null, [null, '1'], ['1', '1']])
    expect(area(svg, 0)).toBe('M58 181H224.5V236H58ZM557.5 181H724V236H557.5Z')
    expect(area(svg, 1)).toBe('M58 126H224.5V181H58ZM391 181H557.5V126H724V181H557.5V236H391Z')
  })

  test('without any part it says so', () => {
    expect(chart([null, null])).toContain('No data')
  })
})
