/**
 * Names and instants of the sample's story. On the morning of the fifth day Manifold, which holds most of the weight of the pool of three
 * venues, resolves the election for the wrong candidate and takes it back two hours later, while Kalshi and Polymarket dispute the
 * same proposal. The index published one level from the wrong payout, and it is corrected. datasets/README.md describes it.
 */
export const SAMPLE_STORY = {
  index_id: 'idx_sample_lowport',
  /** The constituent whose resolution is disputed. */
  constituent_id: 'con_carrow',
  /** Ticks [from, to) with the wrong payout. */
  from: '2025-12-05T09:00:00Z',
  to: '2025-12-05T10:00:00Z',
  reason: 'RESOLUTION_CORRECTED',
} as const
