import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { SCHEMA_VERSION } from '../../protocol/envelope.ts'
import type { ReaderStatus } from '../../warehouse/reader/reader.ts'

/** Staleness of a current response; since: null if the instant is unknown. */
export type Staleness = { readonly since: Instant | null }

/**
 * Decides whether a current response is stale: the reader is behind its warehouse, or the value exceeds its age bound (methodology
 * 4.4). Only the response is labeled; the stored record does not change.
 */
export function stalenessOf(
  { phase, stale_since }: ReaderStatus,
  current_until: Micros | null,
  now: Micros,
): Staleness | null {
  if (phase === 'stale') return { since: stale_since }
  return current_until === null || now <= current_until ? null : { since: formatMicros(current_until) }
}

/** Content of `meta`. */
export type MetaFacts = {
  readonly request_id: string
  /** Instant whose records a current response shows. */
  readonly published_at: Micros
  readonly as_of: Micros | null
  readonly max_age_ms: number | undefined
  /** JSON text of the ids; empty: none. */
  readonly correction_chain: string
  readonly stale: Staleness | null
  /** JSON text of the receipt; null or absent: none was asked for. */
  readonly receipt?: string | null
}

/**
 * Returns the JSON text of `meta`, concatenated for speed: ids, instants and numbers need no escaping. A response as of an instant
 * is published at that instant at the earliest: memory may be behind it when a seal has settled what was published through then.
 */
export function metaText(facts: MetaFacts): string {
  const as_of = facts.as_of === null ? '' : `,"as_of":"${formatMicros(facts.as_of)}"`
  const max_age = facts.max_age_ms === undefined ? '' : `,"max_age_ms":${facts.max_age_ms}`
  const chain = facts.correction_chain === '' ? '' : `,"correction_chain":${facts.correction_chain}`
  const receipt = facts.receipt == null ? '' : `,"receipt":${facts.receipt}`
  const head = `{"request_id":"${facts.request_id}","published_at":"${instantText(Math.max(facts.published_at, facts.as_of ?? facts.published_at))}","schema_version":"${SCHEMA_VERSION}"`
  return `${head}${as_of}${max_age}${chain}${staleText(facts.stale)}${receipt}}`
}

function staleText(stale: Staleness | null): string {
  return stale === null ? '' : `,"stale":true,"stale_since":${JSON.stringify(stale.since)}`
}

/** Returns the JSON text of an envelope. `page` is empty for a single resource. */
export function envelopeText(data: string, page: string, meta: string): string {
  return page === '' ? `{"data":${data},"meta":${meta}}` : `{"data":${data},"page":${page},"meta":${meta}}`
}

/** Appends integer fields to the JSON text of an object. */
export function splice(object: string, fields: Readonly<Record<string, number>>): string {
  let added = ''
  for (const name in fields) added += `,${JSON.stringify(name)}:${fields[name]}`
  if (added === '') return object
  return object === '{}' ? `{${added.slice(1)}}` : `${object.slice(0, -1)}${added}}`
}

let last_at = Number.NaN
let last_text = ''

/** Returns the text of an instant, cached for the next response of the same instant. */
function instantText(at: Micros): string {
  if (at !== last_at) {
    last_text = formatMicros(at)
    last_at = at
  }
  return last_text
}
