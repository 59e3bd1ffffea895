import type { SparkPoint } from '../data/index-day.ts'
import { html } from '../html.ts'

const WIDTH = 132
const HEIGHT = 30
const PAD = 3

/** A line without axes: the shape of a series, not its size. A gap of more than three usual steps is left open. */
export function Sparkline({ points, label }: { points: readonly SparkPoint[]; label: string }) {
  if (points.length < 2)
    return html`<svg class="spark" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Not enough levels for a line"></svg>`
  const place = placesOf(points)
  const last = place.at(-1)!
  return html`<svg class="spark" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
    <path d=${linePath(points, place)} />
    <circle cx=${last.x} cy=${last.y} r="2.2" />
  </svg>`
}

function placesOf(points: readonly SparkPoint[]): SparkPoint[] {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [x_min, x_max, y_min, y_max] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const across = (WIDTH - 2 * PAD) / (x_max - x_min || 1)
  const up = (HEIGHT - 2 * PAD) / (y_max - y_min || 1)
  const flat = y_max === y_min
  return points.map(({ x, y }) => ({
    x: round(PAD + (x - x_min) * across),
    y: flat ? HEIGHT / 2 : round(HEIGHT - PAD - (y - y_min) * up),
  }))
}

function linePath(points: readonly SparkPoint[], places: readonly SparkPoint[]): string {
  const steps = points.slice(1).map(({ x }, at) => x - points[at]!.x)
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]!
  return places.map(({ x, y }, at) => `${at === 0 || steps[at - 1]! > 3 * usual ? 'M' : 'L'}${x} ${y}`).join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
