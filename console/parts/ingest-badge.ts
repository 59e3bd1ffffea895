import type { VenueIngestState } from '../../protocol/operator/ingest.ts'
import { html } from '../html.ts'
import { QualityBadge } from './quality-badge.ts'

/** Badge and meaning of each state. */
const LOOKS = {
  ok: ['valid', 'Responding, streams open'],
  degraded: ['degraded', 'Some data is missing; retrying'],
  down: ['suspended', 'No data; retrying'],
  silent: ['stale', 'No status for some minutes'],
  paused: ['suspended', 'Paused by a person'],
} as const satisfies Record<VenueIngestState, readonly [string, string]>

/** Ingest state of a venue as a shape and a word; the tooltip explains it. */
export function IngestBadge({ state }: { state: VenueIngestState }) {
  const [like, meaning] = LOOKS[state]
  return html`<${QualityBadge} state=${like} word=${state} meaning=${meaning} />`
}
