import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import { trimZeros } from '../../data/decimal-text.ts'
import { showMinute } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import type { Fact } from '../../parts/facts.ts'

type RecordFields = Pick<
  MarketRating,
  | 'confidence'
  | 'reason_codes'
  | 'methodology_id'
  | 'methodology_version'
  | 'issuer'
  | 'effective_from'
  | 'effective_to'
  | 'observation_cutoff_at'
  | 'published_at'
  | 'review_state'
>

/** Returns the facts that the page shows beside every band and level: version, effective time, review state, confidence, issuer. */
export function recordFacts(record: RecordFields, text_path: string): readonly Fact[] {
  const { confidence, reason_codes, methodology_id, methodology_version, issuer, effective_from, effective_to } = record
  return [
    ['Review state', record.review_state === null ? null : html`<b>${record.review_state.replaceAll('_', ' ')}</b>`],
    ['Confidence', confidence === null ? null : trimZeros(confidence)],
    [
      'Methodology',
      methodology_id === null
        ? null
        : html`<a href=${`/v1/${text_path}/${methodology_id}/versions/${methodology_version}`} target="_blank" rel="noopener"><code>${methodology_id}</code> ${methodology_version}</a>`,
    ],
    [
      'Effective',
      effective_from === null
        ? null
        : `${showMinute(effective_from)} UTC ${effective_to === null ? 'on' : `to ${showMinute(effective_to)} UTC`}`,
    ],
    ['Observed until', instant(record.observation_cutoff_at)],
    ['Published', instant(record.published_at)],
    [
      'Issuer',
      issuer === null
        ? null
        : html`${issuer.kind} <code>${issuer.issuer_id}</code>${issuer.model_version !== null && ` ${issuer.model_version}`}`,
    ],
    ['Reasons', reason_codes.length === 0 ? null : html`<span class="codes">${reason_codes.join(', ')}</span>`],
  ]
}

function instant(text: string | null): string | null {
  return text === null ? null : `${showMinute(text)} UTC`
}
