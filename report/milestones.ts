import type { Micros } from '../primitives/instants.ts'
import { type Box, px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'
import { type TimeDomain, timeScale } from './time-axis.ts'

/** An instant with a name: where an index version takes effect. */
export type Milestone = { readonly at: Micros; readonly name: string }

/** Room for a letter of a name; letters are narrower on average. */
const LETTER_WIDTH = 6.5
const GAP = 4

/** Upright lines with their names, of those inside the domain. A name without room on either side of its line is left out. */
export function milestoneLines(milestones: readonly Milestone[], domain: TimeDomain, box: Box): Markup {
  const place = timeScale(domain, box)
  const inside = milestones.filter(({ at }) => at > domain.from && at < domain.to)
  const places = inside.map(({ at }) => place(at))
  let taken = box.left
  return markup`<g class="milestones">${inside.map(({ name }, n) => {
    const here = places[n]!
    const width = name.length * LETTER_WIDTH + GAP
    const right = here + width <= (places[n + 1] ?? Number.POSITIVE_INFINITY)
    const fits = right ? here >= taken : here - width >= taken
    if (fits) taken = right ? here + width : here
    const x = px(here)
    return markup`<line x1="${x}" x2="${x}" y1="${box.top - 6}" y2="${box.bottom}"/>${fits ? nameText(right ? here + GAP : here - GAP, box.top - 5, right, name) : ''}`
  })}</g>`
}

function nameText(x: number, y: number, right: boolean, name: string): Markup {
  return markup`<text x="${px(x)}" y="${y}" text-anchor="${right ? 'start' : 'end'}">${name}</text>`
}
