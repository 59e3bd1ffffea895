import { type Markup, markup } from './markup.ts'

type Look = { readonly size: number; readonly marks: Markup; readonly tint: 'warm' | 'cool' | 'alarm' | 'calm' }

const DOTS = markup`<circle cx="2" cy="2" r="1.1" class="dot"/><circle cx="5.5" cy="5.5" r="1.1" class="dot"/>`
const RISING = markup`<path d="M-1 1L1 -1M0 7L7 0M6 8L8 6" class="ink"/>`
const CROSSED = markup`<path d="M0 0L6 6M6 0L0 6" class="ink"/>`
const LEVEL = markup`<path d="M0 2.5H5" class="ink"/>`
const UPRIGHT = markup`<path d="M3.5 0V7" class="ink"/>`
const GRID = markup`<path d="M0 3H6M3 0V6" class="ink"/>`

/** Patterns of states, freshness classes and changes; they differ in form, so no color is needed. Others are plain. */
const LOOKS: Readonly<Record<string, Look>> = {
  corrected: { size: 7, marks: UPRIGHT, tint: 'calm' },
  indicative: { size: 7, marks: DOTS, tint: 'warm' },
  degraded: { size: 7, marks: RISING, tint: 'warm' },
  stale: { size: 5, marks: LEVEL, tint: 'cool' },
  suspended: { size: 6, marks: CROSSED, tint: 'alarm' },
  missing: { size: 6, marks: CROSSED, tint: 'alarm' },
  settled: { size: 6, marks: GRID, tint: 'calm' },
  'became known': { size: 7, marks: UPRIGHT, tint: 'calm' },
  'changed state': { size: 7, marks: DOTS, tint: 'warm' },
  superseded: { size: 7, marks: RISING, tint: 'alarm' },
}

/** The patterns, once a page. */
export function patternDefs(): Markup {
  return markup`<svg width="0" height="0" class="defs" aria-hidden="true"><defs>${Object.entries(LOOKS).map(
    ([state, { size, marks, tint }]) =>
      markup`<pattern id="${patternId(state)}" width="${size}" height="${size}" patternUnits="userSpaceOnUse"><rect width="${size}" height="${size}" class="${tint}"/>${marks}</pattern>`,
  )}</defs></svg>`
}

/** The fill of a state. */
export function stateFill(state: string): string {
  return Object.hasOwn(LOOKS, state) ? `url(#${patternId(state)})` : 'none'
}

function patternId(state: string): string {
  return `p-${state.replaceAll(' ', '-')}`
}
