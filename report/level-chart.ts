import type { DecimalString } from '../primitives/decimal.ts'
import type { Micros } from '../primitives/instants.ts'
import { type Box, bothSizes, type ChartSize, plotBox, px } from './chart-size.ts'
import { drawLine, type Point, type Scales } from './line-path.ts'
import { type Markup, markup } from './markup.ts'
import { type Milestone, milestoneLines } from './milestones.ts'
import { RIBBON_HEIGHT, stateRibbon, stateShading } from './state-band.ts'
import type { StateRun } from './state-runs.ts'
import { TIME_AXIS_HEIGHT, type TimeDomain, timeAxis, timeScale } from './time-axis.ts'
import { type ValueDomain, valueAxis, valueDomain, valueScale } from './value-axis.ts'

/** A line of levels; `look` is the class of its stroke. */
type LevelLook = 'main' | 'other'
type LevelLineData = { readonly name: string; readonly look: LevelLook; readonly points: readonly Point[] }

/** A second value of a tick beside the line's, joined to it by a stroke: what a correction or a difference moved. */
export type LevelMark = {
  readonly at: Micros
  readonly value: DecimalString
  readonly line_value: DecimalString | null
}

export type LevelChart = {
  /** Description of the picture for screen readers. */
  readonly description: string
  readonly domain: TimeDomain
  readonly lines: readonly LevelLineData[]
  readonly marks: readonly LevelMark[]
  /** One ribbon a row; the first also shades the plot. */
  readonly ribbons: readonly { readonly name: string; readonly runs: readonly StateRun[] }[]
  readonly milestones: readonly Milestone[]
  /** Id of the table whose rows the pointer reads. */
  readonly table: string
}

const HEIGHT = { wide: 270, narrow: 210 } as const

/** Levels over time, shaded and labeled by quality state. */
export function levelChart(chart: LevelChart): Markup {
  const values = [
    ...chart.lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? [])),
    ...chart.marks.map(({ value }) => value),
  ]
  if (values.length === 0) return markup`<p class="empty">No data: no tick has a level.</p>`
  const domain = valueDomain(values, { count: 6 })
  return bothSizes((size) => drawLevels(chart, domain, size))
}

function drawLevels(chart: LevelChart, values: ValueDomain, size: ChartSize): Markup {
  const ribbons_height = chart.ribbons.length * (RIBBON_HEIGHT + 3)
  const box = plotBox(size, HEIGHT[size], ribbons_height + TIME_AXIS_HEIGHT + 4)
  const x = timeScale(chart.domain, box)
  const scales: Scales = { x, y: valueScale(values, box) }
  const ribbonY = (row: number) => box.bottom + 4 + row * (RIBBON_HEIGHT + 3)
  return markup`<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${chart.description}" ${hoverData(chart, box)}>
${chart.ribbons[0] === undefined ? null : stateShading(chart.ribbons[0].runs, x, box)}
${valueAxis(values, box)}
${milestoneLines(chart.milestones, chart.domain, box)}
${chart.lines.toReversed().map((line) => drawLine(line.points, scales, line.look))}
${levelMarks(chart.marks, scales)}
${endLabels(chart.lines, scales, box)}
${chart.ribbons.map(
  ({ name, runs }, row) =>
    markup`${stateRibbon(runs, x, ribbonY(row))}<text x="${px(box.right + 8)}" y="${px(ribbonY(row) + 11)}" class="context start">${name}</text>`,
)}
${timeAxis(chart.domain, box, ribbonY(chart.ribbons.length) + 1)}
<line class="cross" y1="${box.top}" y2="${box.bottom}" x1="0" x2="0"/>
</svg>`
}

/** Data for the page's script to find the table row under the pointer. */
export function hoverData({ domain, table }: { domain: TimeDomain; table: string }, box: Box): Markup {
  return markup`data-table="${table}" data-left="${box.left}" data-right="${box.right}" data-from="${domain.from / 1000}" data-to="${domain.to / 1000}"`
}

/** More diamonds than this would only cover each other. */
const DIAMONDS_MAX = 150

function levelMarks(marks: readonly LevelMark[], { x, y }: Scales): Markup {
  const strokes = marks
    .flatMap(({ at, value, line_value }) =>
      line_value === null ? [] : `M${px(x(at))} ${px(y(line_value))}V${px(y(value))}`,
    )
    .join('')
  const diamonds = marks.length > DIAMONDS_MAX ? [] : marks
  return markup`<g class="marks"><path d="${strokes}"/>${diamonds.map(
    ({ at, value }) =>
      markup`<path d="M${px(x(at) - 4.5)} ${px(y(value))}l4.5 -4.5l4.5 4.5l-4.5 4.5z" class="diamond"/>`,
  )}</g>`
}

const LABEL_GAP = 15

/** Each line's last level beside its end, moved apart where they would cover each other. */
function endLabels(lines: readonly LevelLineData[], { y }: Scales, box: Box): Markup {
  const ends = lines.flatMap(({ points, name, look }) => {
    const last = points.findLast(({ value }) => value !== null)
    return last === undefined ? [] : [{ text: last.value!, y: y(last.value!), name, look }]
  })
  ends.sort((a, b) => a.y - b.y)
  ends.forEach((end, i) => {
    if (i > 0) end.y = Math.max(end.y, ends[i - 1]!.y + LABEL_GAP)
  })
  const named = ends.length > 1
  return markup`<g class="ends">${ends.map(
    (end) =>
      markup`<text x="${px(box.right + 8)}" y="${px(end.y + 4)}" class="${end.look}">${named ? `${end.name} ` : ''}${end.text}</text>`,
  )}</g>`
}
