import type { Api } from '../data/api-client.ts'
import { useNow } from '../data/hooks.ts'
import { millisOf, showInstant } from '../data/instant-text.ts'
import type { ShownLevel } from '../data/newest.ts'
import { html } from '../html.ts'

/**
 * Mark beside a current level whose inputs are older than allowed. The record itself keeps the state it was published with.
 */
export function StaleMark({ api, latest, max_age_ms }: { api: Api; latest: ShownLevel; max_age_ms: number | null }) {
  const now = useNow()
  const { source_cutoff_at, quality_state } = latest
  if (api.as_of !== null || max_age_ms === null || source_cutoff_at === null || quality_state === 'stale') return null
  if (now - millisOf(source_cutoff_at) <= max_age_ms) return null
  const title = `Last input ${showInstant(source_cutoff_at)} UTC; nothing newer published`
  return html` <span class="badge is-stale overdue" title=${title}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="M6 2.2a3.8 3.8 0 1 0 .01 0ZM6 4v2.2l1.6 1" /></svg>stale
  </span>`
}
