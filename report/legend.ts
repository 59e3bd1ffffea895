import { type Markup, markup } from './markup.ts'
import { stateFill } from './state-patterns.ts'

/** One entry of a legend: a drawn sample and its meaning. */
export type LegendItem = { readonly sample: Markup; readonly text: string }

/** Legends stand below a picture, in words and in the same strokes and patterns. */
export function legend(items: readonly LegendItem[]): Markup {
  return markup`<ul class="legend">${items.map(({ sample, text }) => markup`<li>${sample} ${text}</li>`)}</ul>`
}

/** A sample of a line of a look. */
export function lineSample(look: 'main' | 'other', carried = false): Markup {
  return markup`<svg width="26" height="10" aria-hidden="true"><g class="line ${look}"><path d="M0 5H26" class="${carried ? 'carried' : ''}"/></g></svg>`
}

/** A sample of a mark beside a line. */
export function markSample(): Markup {
  return markup`<svg width="12" height="10" aria-hidden="true"><g class="marks"><path d="M1.5 5l4.5 -4.5l4.5 4.5l-4.5 4.5z" class="diamond"/></g></svg>`
}

/** A sample of a state's pattern. */
export function stateSample(state: string): Markup {
  return markup`<svg width="22" height="11" aria-hidden="true"><g class="ribbon"><rect width="22" height="11" fill="${stateFill(state)}"/></g></svg>`
}
