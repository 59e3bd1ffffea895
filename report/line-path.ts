import type { DecimalString } from '../primitives/decimal.ts'
import type { Micros } from '../primitives/instants.ts'
import { px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'

/** One value of a line; null interrupts it: a missing value is never drawn as 0. `carried`: repeated from an earlier tick. */
export type Point = { readonly at: Micros; readonly value: DecimalString | null; readonly carried?: boolean }

export type Scales = { readonly x: (at: Micros) => number; readonly y: (value: DecimalString) => number }

/** Paths of a line: what was computed at its own tick, what was carried, and points that stand alone. */
export type LinePaths = {
  readonly solid: string
  readonly carried: string
  readonly dots: readonly { readonly x: number; readonly y: number }[]
}

/** `straight` joins ticks; `step` holds a value until the next one. */
export type LineShape = 'straight' | 'step'

/** The paths of points by ascending `at`. */
export function linePaths(points: readonly Point[], { x, y }: Scales, shape: LineShape = 'straight'): LinePaths {
  const [solid, carried] = [new Pen(shape), new Pen(shape)]
  const dots: { x: number; y: number }[] = []
  points.forEach(({ at, value, carried: repeated }, i) => {
    if (value === null) return
    const before = points[i - 1]
    const place = { x: x(at), y: y(value) }
    if (before !== undefined && before.value !== null)
      (repeated === true ? carried : solid).line({ x: x(before.at), y: y(before.value) }, place)
    else if ((points[i + 1]?.value ?? null) === null) dots.push(place)
  })
  return { solid: solid.path, carried: carried.path, dots }
}

/** A line drawn as SVG; `name` is the class of its look. */
export function drawLine(
  points: readonly Point[],
  scales: Scales,
  name: string,
  shape: LineShape = 'straight',
): Markup {
  const { solid, carried, dots } = linePaths(points, scales, shape)
  return markup`<g class="line ${name}"><path d="${solid}"/>${
    carried === '' ? null : markup`<path d="${carried}" class="carried"/>`
  }${dots.map((dot) => markup`<circle cx="${px(dot.x)}" cy="${px(dot.y)}" r="2.2"/>`)}</g>`
}

type Place = { readonly x: number; readonly y: number }

/** Joins segments that follow each other into one path. */
class Pen {
  path = ''
  readonly #shape: LineShape
  #last = ''
  constructor(shape: LineShape) {
    this.#shape = shape
  }
  line(from: Place, to: Place): void {
    const start = `${px(from.x)} ${px(from.y)}`
    const end = `${px(to.x)} ${px(to.y)}`
    const stroke = this.#shape === 'step' ? `H${px(to.x)}V${px(to.y)}` : `L${end}`
    this.path += start === this.#last ? stroke : `M${start}${stroke}`
    this.#last = end
  }
}
