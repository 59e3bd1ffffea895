import type { VenueIngestState } from '../../protocol/operator/ingest.ts'
import { html } from '../html.ts'
import { QualityBadge } from './quality-badge.ts'

/** What each state looks like, and what it means. */
const LOOKS = {
  ok: ['valid', 'it answers, and its streams are open'],
  degraded: ['degraded', 'something of it is missing; it is tried again'],
  down: ['suspended', 'nothing comes; it is tried again'],
  silent: ['stale', 'nobody has told how it is for some minutes'],
} as const satisfies Record<VenueIngestState, readonly [string, string]>

/** The state of a venue's ingest as shape and word; its meaning is the hint. */
export function IngestBadge({ state }: { state: VenueIngestState }) {
  const [like, meaning] = LOOKS[state]
  return html`<${QualityBadge} state=${like} word=${state} meaning=${meaning} />`
}
