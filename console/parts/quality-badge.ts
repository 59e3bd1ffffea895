import type { QualityState } from '../../vocabulary/index-level.ts'
import { html } from '../html.ts'

/** One shape for each state, so color is not the only sign. */
const SHAPES: Readonly<Record<QualityState, string>> = {
  valid: 'M2.5 6.5 5 9 9.5 3.5',
  indicative: 'M6 2.2a3.8 3.8 0 1 0 .01 0Z',
  stale: 'M6 2.2a3.8 3.8 0 1 0 .01 0ZM6 4v2.2l1.6 1',
  degraded: 'M6 2 10.4 9.8H1.6ZM6 5v2.2',
  suspended: 'M3 3h6v6H3ZM5 4.8v2.4M7 4.8v2.4',
  corrected: 'M6 1.8 10.2 6 6 10.2 1.8 6Z',
}
const MEANINGS: Readonly<Record<QualityState, string>> = {
  valid: 'All quality rules hold',
  indicative: 'Published before the index is final',
  stale: 'No new input since the previous level',
  degraded: 'Calculated from fewer or weaker inputs than required',
  suspended: 'No level may be published',
  corrected: 'Replaces a level published earlier',
}

/** A quality state as a shape and a word; the tooltip explains it. Other states borrow its look with a word and meaning of their own. */
export function QualityBadge({
  state,
  word = state,
  meaning = MEANINGS[state],
}: {
  state: QualityState
  word?: string
  meaning?: string
}) {
  return html`<span class=${`badge is-${state}`} title=${meaning}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d=${SHAPES[state]} /></svg>${word}
  </span>`
}
