import type { Micros } from '../primitives/instants.ts'
import { type Box, px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'
import { stateFill } from './state-patterns.ts'
import { type StateRun, worseState } from './state-runs.ts'

type Place = (at: Micros) => number

/** Light shading of a whole plot wherever the state is not plain. */
export function stateShading(runs: readonly StateRun[], place: Place, box: Box): Markup {
  return markup`<g class="shading">${visibleRuns(runs, place)
    .filter(({ state }) => stateFill(state) !== 'none')
    .map(({ x0, x1, state }) => rect(x0, x1, box.top, box.bottom - box.top, state))}</g>`
}

export const RIBBON_HEIGHT = 15

/** A ribbon of states at `y`, each run with its name where there is room. */
export function stateRibbon(
  runs: readonly StateRun[],
  place: Place,
  y: number,
  options: { height?: number } = {},
): Markup {
  const { height = RIBBON_HEIGHT } = options
  return markup`<g class="ribbon">${visibleRuns(runs, place).map(({ x0, x1, state }) => {
    const fits = height === RIBBON_HEIGHT && x1 - x0 > state.length * 6 + 10
    const name = fits
      ? markup`<text x="${px((x0 + x1) / 2)}" y="${px(y + height - 4)}" class="state">${state}</text>`
      : null
    return markup`${rect(x0, x1, y, height, state)}${name}`
  })}</g>`
}

function rect(x0: number, x1: number, y: number, height: number, state: string): Markup {
  return markup`<rect x="${px(x0)}" y="${px(y)}" width="${px(Math.max(x1 - x0, WIDTH_MIN))}" height="${px(height)}" fill="${stateFill(state)}"/>`
}

const WIDTH_MIN = 1.2

type VisibleRun = { x0: number; x1: number; state: string }

/** Runs as a picture can show them: neighbors that are all narrower than a pixel share one, in the worst of their states. */
export function visibleRuns(runs: readonly StateRun[], place: Place): readonly VisibleRun[] {
  const visible: VisibleRun[] = []
  for (const { state, from, to } of runs) {
    const [x0, x1] = [place(from), place(to)]
    const last = visible.at(-1)
    const joins = last !== undefined && x1 - x0 < WIDTH_MIN && last.x1 - last.x0 < WIDTH_MIN
    if (!joins) visible.push({ x0, x1, state })
    else Object.assign(last, { x1, state: worseState(last.state, state) })
  }
  return visible
}
