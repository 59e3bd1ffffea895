import { QUALITY_WORST_FIRST, type QualityState } from '../../vocabulary/index-level.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'

/**
 * Quality by the status of the market: nobody can trade on a paused market (suspended), no price moves after the close (stale,
 * as methodology index-1 §4 freezes marks), and before the opening there is no market (indicative).
 */
export const QUALITY_OF_STATUS = {
  scheduled: 'indicative',
  open: 'valid',
  paused: 'suspended',
  closed: 'stale',
  resolving: 'stale',
  resolved: 'stale',
  voided: 'stale',
  archived: 'stale',
} as const satisfies Record<MarketStatus, QualityState>

/** Facts that decide the label of a price, a book or a level at one instant. */
export type QualityFacts = {
  /** Whether there is any value at all. */
  readonly has_value: boolean
  /** Whether its age is above its bound at the instant; `isStale` of freshness.ts decides. */
  readonly is_stale: boolean
  /** Status of its market at the instant; null: unknown, or no market's. */
  readonly status: string | null
  /** Label of the stored record; null: it has none. */
  readonly stated: string | null
  /**
   * Label of the mark that is shown beside it; null or absent: none. A mark that has a value was suspended by the pause of its market,
   * so `status` says whether that still holds.
   */
  readonly of_mark?: string | null
}

/**
 * Returns the quality label of a price, a book, a mark or a level: the worst of what its value, its age, the status of its
 * market, its record and the mark beside it say. The price view, the order book, marks, levels and the stream all use it, so they never differ.
 * No value is suspended, unless the market's status already says why there is none.
 */
export function qualityOf({ has_value, is_stale, status, stated, of_mark = null }: QualityFacts): QualityState {
  const by_status = isMarketStatus(status) ? QUALITY_OF_STATUS[status] : 'valid'
  const labels: (QualityState | null)[] = [
    has_value || by_status !== 'valid' ? null : 'suspended',
    is_stale ? 'stale' : null,
    by_status,
    isQualityState(stated) ? stated : null,
    isQualityState(of_mark) && of_mark !== 'suspended' ? of_mark : null,
  ]
  return worstQuality(labels.filter((label) => label !== null))
}

/** Returns the worst of some labels; valid if there are none. */
export function worstQuality(labels: readonly QualityState[]): QualityState {
  return QUALITY_WORST_FIRST.find((state) => labels.includes(state)) ?? 'valid'
}

function isMarketStatus(status: string | null): status is MarketStatus {
  return status !== null && status in QUALITY_OF_STATUS
}

function isQualityState(stated: string | null): stated is QualityState {
  return stated !== null && (QUALITY_WORST_FIRST as readonly string[]).includes(stated)
}
