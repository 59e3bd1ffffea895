/** Presentation of a market, kept as it was given; without effect on trading. */
export type MarketListing = {
  readonly event_id: string | null
  readonly title: string | null
  /** By outcome_id; an outcome without a label is shown by its id. */
  readonly outcome_labels: Readonly<Record<string, string>>
  readonly rules: unknown
  readonly schedule: unknown
  /** ISO 8601: how long a resolution is open to dispute; null or missing: the default. */
  readonly dispute_window?: string | null
}
