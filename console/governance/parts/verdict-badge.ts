import type { MarketEligibility } from '../../../protocol/resources/eligibility.ts'
import { html } from '../../html.ts'
import { QualityBadge } from '../../parts/quality-badge.ts'
import { VERDICT_LOOKS } from '../model/eligibility-words.ts'

/** Decision of an eligibility policy as a shape and a word. */
export function VerdictBadge({ status }: { status: MarketEligibility['status'] }) {
  const [look, meaning] = VERDICT_LOOKS[status]
  return html`<${QualityBadge} state=${look} word=${status} meaning=${meaning} />`
}
