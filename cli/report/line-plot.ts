import { Decimal } from '../../primitives/decimal.ts'
import { escapeHtml } from './html.ts'

/** One line of a plot, by ascending `x`. `y` is a decimal string; null interrupts the line: a missing value is never drawn as 0. */
export type PlotLine = {
  readonly name: string
  readonly color: string
  readonly points: readonly { readonly x: number; readonly y: string | null }[]
}

const WIDTH = 960
const HEIGHT = 280
const MARGIN = 70
/** More points than this add nothing that a screen can show: each part keeps its lowest and highest one. */
const POINTS_MAX = 2000

/**
 * A line plot as SVG text.
 * @param x  labels of the first and the last place; `y` of all lines share one scale
 */
export function linePlot(lines: readonly PlotLine[], x: { readonly first: string; readonly last: string }): string {
  const values = lines.flatMap(({ points }) => points.flatMap(({ y }) => (y === null ? [] : [new Decimal(y)])))
  if (values.length === 0) return '<p>There is nothing to plot: no tick has a level.</p>'
  const scale = scaleOf(values, Math.max(...lines.map(({ points }) => points.at(-1)?.x ?? 0)))
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 30}" role="img">`,
    ...[scale.low, scale.high].map((value) => yLabel(value, scale)),
    `<text x="${MARGIN}" y="${HEIGHT + 20}">${escapeHtml(x.first)}</text>`,
    `<text x="${WIDTH}" y="${HEIGHT + 20}" text-anchor="end">${escapeHtml(x.last)}</text>`,
    ...lines.map((line) => polyline(line, scale)),
    ...lines.map(({ name, color }, place) => legend(name, color, place)),
    '</svg>',
  ].join('\n')
}

type Scale = { readonly low: Decimal; readonly high: Decimal; readonly x_max: number }

function scaleOf(values: readonly Decimal[], x_max: number): Scale {
  const low = values.reduce((a, b) => Decimal.min(a, b))
  const high = values.reduce((a, b) => Decimal.max(a, b))
  return { low, high, x_max }
}

function pixelY(value: Decimal, { low, high }: Scale): string {
  const share = high.eq(low) ? new Decimal('0.5') : value.minus(low).div(high.minus(low))
  return new Decimal(1)
    .minus(share)
    .times(HEIGHT - 20)
    .plus(10)
    .toFixed(1)
}

function pixelX(x: number, { x_max }: Scale): string {
  return (MARGIN + (x_max === 0 ? 0 : (x / x_max) * (WIDTH - MARGIN))).toFixed(1)
}

function yLabel(value: Decimal, scale: Scale): string {
  return `<text x="${MARGIN - 8}" y="${pixelY(value, scale)}" text-anchor="end">${value.toFixed()}</text>`
}

function polyline({ color, points }: PlotLine, scale: Scale): string {
  let path = ''
  let pen = 'M'
  for (const { x, y } of thin(points)) {
    if (y !== null) path += `${pen}${pixelX(x, scale)} ${pixelY(new Decimal(y), scale)}`
    pen = y === null ? 'M' : 'L'
  }
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>`
}

/** Of each stretch of points the lowest and the highest, in their order, and a gap where there is one. */
function thin(points: PlotLine['points']): PlotLine['points'] {
  if (points.length <= POINTS_MAX) return points
  const size = Math.ceil((2 * points.length) / POINTS_MAX)
  const parts = Array.from({ length: Math.ceil(points.length / size) }, (_, i) =>
    points.slice(i * size, (i + 1) * size),
  )
  return parts.flatMap((part) => {
    const priced = part.filter((point) => point.y !== null)
    if (priced.length < part.length || priced.length === 0) return part
    const ordered = [...priced].sort((a, b) => new Decimal(a.y!).cmp(b.y!))
    return [ordered[0]!, ordered.at(-1)!].sort((a, b) => a.x - b.x)
  })
}

function legend(name: string, color: string, place: number): string {
  return `<text x="${MARGIN + 20 + place * 180}" y="14" fill="${color}">${escapeHtml(name)}</text>`
}
