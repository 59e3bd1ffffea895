import type { VenueIngestState } from '../../protocol/operator/ingest.ts'
import { html } from '../html.ts'

/** A shape each, so that no state is told by colour alone; the word stands beside it. */
const LOOKS: Readonly<Record<VenueIngestState, readonly [like: string, shape: string, meaning: string]>> = {
  ok: ['valid', 'M2.5 6.5 5 9 9.5 3.5', 'it answers, and its streams are open'],
  degraded: ['degraded', 'M6 2 10.4 9.8H1.6ZM6 5v2.2', 'something of it is missing; it is tried again'],
  down: ['suspended', 'M3 3l6 6M9 3l-6 6', 'nothing comes; it is tried again'],
  silent: ['stale', 'M6 2.2a3.8 3.8 0 1 0 .01 0ZM6 4v2.2l1.6 1', 'nobody has told how it is for some minutes'],
}

/** The state of a venue's ingest as shape and word; its meaning is the hint. */
export function IngestBadge({ state }: { state: VenueIngestState }) {
  const [like, shape, meaning] = LOOKS[state]
  return html`<span class=${`badge is-${like}`} title=${meaning}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d=${shape} /></svg>${state}
  </span>`
}
