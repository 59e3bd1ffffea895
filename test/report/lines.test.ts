import { describe, expect, test } from 'vitest'
import { coverageChart } from '../../report/coverage-chart.ts'
import { differenceChart } from '../../report/difference-chart.ts'
import { levelChart } from '../../report/level-chart.ts'
import { linePaths, type Point } from '../../report/line-path.ts'

const SCALES = { x: (at: number) => at * 10, y: (value: string) => 100 - Number(value) }
const points = (values: readonly (string | null)[]): Point[] => values.map((value, at) => ({ at, value }))

describe('lines', () => {
  test('a missing value interrupts the line, it is no zero; a point that stands alone is a dot', () => {
    const { solid, dots } = linePaths(points(['10', '20', null, '30', null, '40', '50']), SCALES)
    expect(solid).toBe('M0 90L10 80M50 60L60 50')
    expect(dots).toEqual([{ x: 30, y: 70 }])
  })

  test('what is carried is a line of its own', () => {
    const carried = [
      { at: 0, value: '10' },
      { at: 1, value: '10', carried: true },
      { at: 2, value: '12' },
    ]
    expect(linePaths(carried, SCALES)).toMatchObject({ solid: 'M10 90L20 88', carried: 'M0 90L10 90' })
  })

  test('a step holds a value until the next one', () => {
    expect(linePaths(points(['10', '20', '20']), SCALES, 'step').solid).toBe('M0 90H10V80H20V80')
  })

  test('one value is a dot, none is nothing', () => {
    expect(linePaths(points(['10']), SCALES)).toEqual({ solid: '', carried: '', dots: [{ x: 0, y: 90 }] })
    expect(linePaths(points([null]), SCALES)).toEqual({ solid: '', carried: '', dots: [] })
  })
})

const DAY = 86_400_000_000
const DOMAIN = { from: 0, to: 4 * DAY }
const days = (values: readonly (string | null)[]): Point[] => values.map((value, i) => ({ at: i * DAY, value }))
const LEVELS = {
  description: 'Levels',
  domain: DOMAIN,
  marks: [],
  milestones: [],
  table: 'ticks',
}

describe('charts', () => {
  test('levels: the end is labeled with the published string, ribbons name their states', () => {
    const svg = levelChart({
      ...LEVELS,
      lines: [{ name: 'replayed', look: 'main', points: days(['1000.0000', '1001.0000', null, '1002.5000']) }],
      ribbons: [{ name: 'quality state', runs: [{ state: 'degraded', from: 0, to: 4 * DAY, ticks: 4 }] }],
    }).text
    expect(svg).toContain('>1002.5000</text>')
    expect(svg).toContain('class="state">degraded</text>')
    expect(svg).toContain('fill="url(#p-degraded)"')
    expect(svg.match(/<svg /g)).toHaveLength(2) // for wide and for narrow pages
  })

  test('levels: without any level it says so', () => {
    const lines = [{ name: 'replayed', look: 'main', points: days([null]) }] as const
    expect(levelChart({ ...LEVELS, lines, ribbons: [] }).text).toContain('no tick has a level')
  })

  test('levels: two ends that would cover each other are moved apart', () => {
    const lines = (['main', 'other'] as const).map((look) => ({ name: look, look, points: days(['1', '5', '2.0000']) }))
    const svg = levelChart({ ...LEVELS, lines, ribbons: [] }).text
    const places = [...svg.matchAll(/y="([\d.]+)" class="(?:main|other)">/g)].map((match) => Number(match[1]))
    expect(places[1]! - places[0]!).toBeGreaterThanOrEqual(12)
  })

  test('ratios: the axis is 0 to 1 whatever the values are, and the limit is drawn where it rules', () => {
    const limits = [{ value: '0.800000', domain: { from: DAY, to: 2 * DAY } }]
    const chart = {
      description: 'Coverage',
      domain: DOMAIN,
      points: days(['0.98', '0.99']),
      limits,
      limit_name: 'min',
      table: 'ticks',
    }
    const svg = coverageChart(chart).text
    expect([...svg.matchAll(/>(\d\.\d\d)<\/text>/g)].slice(0, 5).map((match) => match[1])).toEqual([
      '0.00',
      '0.25',
      '0.50',
      '0.75',
      '1.00',
    ])
    expect(svg).toContain('<line class="limit" x1="224.5" x2="391"')
    expect(svg).toContain('min 0.800000')
  })

  test('differences: a stroke from zero each; one that is not to be had has none', () => {
    const svg = differenceChart({
      description: 'B - A',
      domain: DOMAIN,
      points: days(['0.0000', '2.0000', null, '-1.0000']),
      table: 'ticks',
    }).text
    const bars = /class="bars"><path d="([^"]*)"/.exec(svg)![1]!
    expect(bars.split('M').slice(1)).toHaveLength(2)
  })
})
