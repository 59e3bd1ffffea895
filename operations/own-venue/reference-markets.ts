import { durationMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { toScaled } from '../../primitives/scaled.ts'
import type { ResolutionEvidence } from '../../trading/engine/settlement-commands.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { openSourcesSession } from '../../warehouse/read/sources-session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { ListingPolicy } from './listing-policy.ts'

/** A market of another venue, as stored. */
export type ReferenceMarket = {
  readonly market_id: string
  readonly event_id: string
  readonly venue_id: string
  readonly title: string
  readonly status: string | null
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
  readonly rules: Row | null
  readonly schedule: Row | null
  readonly closes_at: Micros | null
  readonly category: string | null
  /** At scale 6. */
  readonly volume_24h: bigint | null
  /** When something was last heard of its quotes; null: nothing of late. */
  readonly seen_at: Micros | null
  /** null: no resolution is stated. */
  readonly resolution: ReferenceResolution | null
}

export type ReferenceResolution = {
  readonly resolution_id: string
  readonly finality: string
  readonly source_at: Micros
  /** When the warehouse published the statement: since when everybody may know of it. */
  readonly stated_at: Micros
  readonly payouts: readonly { readonly outcome_id: string; readonly payout: string }[]
  readonly evidence: readonly ResolutionEvidence[]
}

const TABLES = ['market', 'event', 'market_metric', 'market_resolution'] as const

/**
 * Reads the open markets of a policy's venues, and the references of listed markets. Withdrawn resolutions do not count.
 * @param listed ids of the references of listed markets
 */
export async function readReferences(
  warehouse: Warehouse,
  policy: ListingPolicy,
  listed: readonly string[],
  now: Micros,
): Promise<readonly ReferenceMarket[]> {
  const rows: Row[] = []
  const session = await openReadSession(warehouse, { as_of: null, tables: TABLES })
  try {
    for (const venue_id of new Set(policy.sources.map((source) => source.venue_id))) {
      rows.push(
        ...(await session.query(readSql(import.meta.url, 'sql/listing_references.sql'), {
          venue_id,
          market_ids: listed,
        })),
      )
    }
  } finally {
    await session.close()
  }
  const ids = rows.map(({ market_id }) => String(market_id))
  const seen = await lastSeen(warehouse, ids, now - durationMicros(policy.stale_after))
  return rows.map((row) => referenceMarket(row, seen.get(String(row.market_id)) ?? null))
}

/** Only what was published since an instant is looked at: what is older is stale anyway. */
async function lastSeen(
  warehouse: Warehouse,
  market_ids: readonly string[],
  since: Micros,
): Promise<ReadonlyMap<string, Micros>> {
  const log = warehouse.log('market_quote')
  const { files, head_stamp } = await log.snapshot()
  const news = files.filter(({ stamp_max }) => stamp_max >= since)
  if (news.length === 0 || head_stamp === null || market_ids.length === 0) return new Map()
  const paths = await log.ensureVerified(news)
  const source_files = news.map(({ rows, stamp_min, stamp_max }, place) => {
    return { path: paths[place]!, rows, published_from: stamp_min, published_to: stamp_max }
  })
  const session = await openSourcesSession(
    [{ table: 'market_quote', files: source_files, intervals: null }],
    head_stamp,
  )
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/markets_last_seen.sql'), { market_ids })
    return new Map(rows.map(({ market_id, seen_at }) => [String(market_id), toMicros(seen_at)]))
  } finally {
    await session.close()
  }
}

function referenceMarket(row: Row, seen_at: Micros | null): ReferenceMarket {
  const schedule = (row.schedule ?? null) as Row | null
  const closes_at = (schedule?.closes_at ?? null) as Instant | null
  return {
    market_id: String(row.market_id),
    event_id: String(row.event_id),
    venue_id: String(row.venue_id),
    title: String(row.title),
    status: (row.status ?? null) as string | null,
    outcomes: (row.outcomes ?? []) as unknown as ReferenceMarket['outcomes'],
    rules: (row.rules ?? null) as Row | null,
    schedule,
    closes_at: closes_at === null ? null : toMicros(closes_at),
    category: (row.category ?? null) as string | null,
    volume_24h: typeof row.volume_24h === 'string' ? toScaled(row.volume_24h, 6) : null,
    seen_at,
    resolution: resolutionOf(row),
  }
}

function resolutionOf(row: Row): ReferenceResolution | null {
  if (typeof row.resolution_id !== 'string' || row.finality === 'withdrawn') return null
  return {
    resolution_id: row.resolution_id,
    finality: String(row.finality),
    source_at: toMicros(row.resolved_at),
    stated_at: toMicros(row.stated_at),
    payouts: (row.payouts ?? []) as unknown as ReferenceResolution['payouts'],
    evidence: (row.evidence ?? []) as unknown as ReferenceResolution['evidence'],
  }
}
