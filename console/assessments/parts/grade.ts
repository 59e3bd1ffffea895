import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import type { SeverityAssessment } from '../../../protocol/resources/severity.ts'
import { html } from '../../html.ts'
import { BAND_WORDS, LEVEL_WORDS, LEVEL_WORDS_SHORT } from '../words.ts'

/** A rating band with its label; steps instead of colors show the order. */
export function Band({ band }: { band: MarketRating['band'] }) {
  const good = band === 'NR' ? 0 : 6 - Number(band.slice(2))
  return html`<span class="grade is-rating"><b>${band}</b> <${Steps} of=${5} filled=${good} known=${band !== 'NR'} /> <span>${BAND_WORDS[band]}</span></span>`
}

/** A severity level with its label; `short` for tables. */
export function Level({ level, short = false }: { level: SeverityAssessment['level']; short?: boolean }) {
  const grave = level === 'UNKNOWN' ? 0 : Number(level.slice(4))
  return html`<span class="grade is-severity"><b>${level}</b> <${Steps} of=${5} filled=${grave} known=${level !== 'UNKNOWN'} /> <span>${(short ? LEVEL_WORDS_SHORT : LEVEL_WORDS)[level]}</span></span>`
}

const STEP = 9

/** Scale with filled steps; unknown has a dashed outline only. */
function Steps({ of, filled, known }: { of: number; filled: number; known: boolean }) {
  return html`<svg class=${known ? 'steps' : 'steps is-unknown'} viewBox=${`0 0 ${of * STEP} 10`} width=${of * STEP} height="10" aria-hidden="true">
    ${Array.from({ length: of }, (_, at) => html`<rect key=${at} x=${at * STEP + 0.5} y="0.5" width="7" height="9" class=${at < filled ? 'is-filled' : ''} />`)}
  </svg>`
}
