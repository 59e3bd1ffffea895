import type { Micros } from '../primitives/instants.ts'
import { type Box, px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'
import { type TimeDomain, timeScale } from './time-axis.ts'

/** An instant with a name: where an index version takes effect. */
export type Milestone = { readonly at: Micros; readonly name: string }

/** Upright lines with their names, of those inside the domain. */
export function milestoneLines(milestones: readonly Milestone[], domain: TimeDomain, box: Box): Markup {
  const place = timeScale(domain, box)
  const inside = milestones.filter(({ at }) => at > domain.from && at < domain.to)
  return markup`<g class="milestones">${inside.map(({ at, name }) => {
    const x = px(place(at))
    return markup`<line x1="${x}" x2="${x}" y1="${box.top - 6}" y2="${box.bottom}"/><text x="${px(place(at) + 4)}" y="${box.top - 5}">${name}</text>`
  })}</g>`
}
