import { groupSigned, percentChange, signOf, subtractDecimals } from '../data/decimal-text.ts'
import { html } from '../html.ts'

const ARROWS = { '1': '\u25b2', '0': '\u25cf', '-1': '\u25bc' } as const
const WORDS = { '1': 'up', '0': 'unchanged', '-1': 'down' } as const

/** Change between two levels, as amount and percentage; shape and word show the direction besides color. */
export function Change({ from, to, since }: { from: string | null; to: string | null; since: string }) {
  if (from === null || to === null) return html`<span class="none" title="No earlier level to compare with">–</span>`
  const difference = subtractDecimals(to, from)
  const percent = percentChange(from, to)
  const sign = `${signOf(difference)}` as const
  return html`<span class=${`change sign${sign}`} title=${`from ${from} at ${since}`}>
    <span aria-hidden="true" class="arrow">${ARROWS[sign]}</span><span class="sr">${WORDS[sign]} </span>
    ${groupSigned(difference)}${percent !== null && html` <span class="percent">${groupSigned(percent)} %</span>`}
  </span>`
}
