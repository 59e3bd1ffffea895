import type { ViewMeaning } from './view-meaning.ts'

/** Units of a size, which differ by venue: sizes of two venues do not add up. */
const SIZES = 'contracts at Kalshi and of markets listed here, USDC at Polymarket'
const CHANGED_HERE = { status: 'current status, after its resolution and its end' }

/** Views of what venues and feeds state, and of what is derived from it. */
export const MARKET_VIEWS = {
  market_quote: {
    row: 'the prices of one outcome at one source instant: the top of a book, or a reported probability',
    columns: {
      record_id: 'id of the record',
      bid: 'best bid',
      ask: 'best ask',
      bid_depth: 'quantity at the best bid',
      ask_depth: 'quantity at the best ask',
      last_trade: 'last trade as the quote states it; quotes repeat it',
      last_trade_at: 'instant of that trade, if stated',
      reported_probability:
        'probability that the venue reports; rows of a price history have it alone, without bid and ask',
      raw_value: "venue's own text of the value",
      derived_from_id: 'record of the complementary outcome that it was computed from',
    },
  },
  market_observation: {
    row: 'one value of one market field: bid, ask, last_trade or reported_probability',
    columns: {
      observation_id: 'id of the observation: record and field',
      record_id: 'record of market_quote that holds the value',
      field: 'bid, ask, last_trade or reported_probability',
      value: 'the value, from 0 to 1',
      raw_value: "venue's own text of the value",
    },
  },
  public_trade: {
    row: 'a trade of a venue, once',
    columns: {
      trade_id: 'id of the trade',
      raw_price: "price in the venue's own unit",
      aggressor_side: 'side that took: BUY or SELL; null: not stated',
      correction_kind:
        'void: cancelled; correction: another price or quantity, in files often null; null: as first reported',
      match_kind: 'how the orders met on our own exchange',
      segments: 'parts of the trade at several prices',
      complementary_outcome_id: 'other outcome of a trade that made or redeemed sets',
      source_trade_ids: 'every id under which the feeds of the venue reported the trade',
    },
  },
  trade_report: {
    row: 'a report of a trade, as a feed made it',
    columns: {
      trade_id: 'id of the trade',
      raw_price: "price in the venue's own unit",
      aggressor_side: 'side that took: BUY or SELL; null: not stated',
      correction_kind: 'void: cancelled; correction: another price or quantity',
      match_kind: 'how the orders met on our own exchange',
      segments: 'parts of the trade at several prices',
      complementary_outcome_id: 'other outcome of a trade that made or redeemed sets',
    },
  },
  order_book: {
    row: 'a full book of one outcome at one source instant',
    columns: {
      order_book_id: 'id of the book',
      price_unit: 'unit of the prices',
      bids: 'bids, best first: price and quantity',
      asks: 'asks, best first: price and quantity',
      asks_derived: 'asks were computed from the bids of the complementary outcome',
      overround: 'best asks of all outcomes less 1, if stated',
      bid_derived_quantities: 'part of each bid that comes from the complementary outcome',
      ask_derived_quantities: 'part of each ask that comes from the complementary outcome',
    },
  },
  market: {
    row: 'a market: its question and the terms of trading',
    columns: {
      ...CHANGED_HERE,
      outcome_type: 'binary, categorical or scalar',
      outcomes: 'outcomes with label, state and payout',
      rules: 'texts of the rules, with their version and time zone',
      schedule: 'opening, close and expected resolution',
      trading_parameters: 'steps and bounds of orders as the venue states them',
      complementary: 'whether its two outcomes together are always worth 1',
    },
  },
  event: {
    row: 'a real-world event; one of an alert feed has no markets',
    columns: {
      status: 'status that its source states, else that of its markets',
      event_start: 'start of the event',
      event_end: 'end of the event',
      market_ids: 'markets about the event',
    },
  },
  market_resolution: {
    row: 'a final or corrected payout',
    columns: {
      resolution_id: 'id of the resolution',
      winning_outcome_ids: 'outcomes that pay 1',
      payouts: 'payout of a contract of each outcome',
      resolved_at: 'when the venue resolved the market',
      resolver: 'who resolved it',
      dispute_window_ends_at: 'end of the time for disputes',
      finality: 'how final the resolution is',
    },
  },
  market_mark: {
    row: 'the reference value of one outcome at a tick, where it changed',
    columns: {
      mark_id: 'id of the mark',
      mark: 'reference value, from 0 to 1; null: none',
      midpoint: 'middle of bid and ask; null: none',
      midpoint_observation_ids: 'records that the midpoint was made from',
      implied_probability: 'mark divided by the marks of all outcomes',
    },
  },
  market_metric: {
    row: 'daily volume, open interest and liquidity as the venue stated them',
    columns: {
      metric_id: 'id of the record',
      volume_24h: `volume of 24 hours: ${SIZES}; mana at Manifold, of other archives the asset of the prices`,
      open_interest: `open interest: ${SIZES}; Manifold states none`,
      liquidity_notional: 'money behind the resting orders or in the pool: USD, USDC at Polymarket, mana at Manifold',
    },
  },
  market_eligibility: {
    row: 'whether indexes may use a market, decided by a versioned policy',
    columns: {
      eligibility_id: 'id of the record',
      status: 'eligible or not',
      policy_version: 'version of that policy, as a text',
      evaluated_at: 'when it was decided',
    },
  },
  hazard_alert: {
    row: 'an alert of a feed about one natural hazard; numbers are texts as the feed wrote them',
    columns: {
      source_version_id: "feed's own id of this version of the alert",
      aliases: 'other ids of the event',
      hazard_type: 'kind of hazard',
      alert_level: 'alert level of this version',
      alert_score: 'alert score of this version',
      episode_alert_level: 'alert level of the episode',
      severity_value: 'severity as stated',
      severity_unit: 'unit of the severity',
      population_value: 'affected people as stated',
      population_unit: 'unit of that number',
      vulnerability_value: 'vulnerability as stated',
      countries: 'affected countries',
      longitude: 'longitude in degrees',
      latitude: 'latitude in degrees',
      depth_km: 'depth in kilometers',
      review_status: 'automatic or reviewed, as the feed says',
      is_current: 'the feed lists the event as current',
      is_temporary: 'the feed marks the alert as temporary',
      started_at: 'start of the hazard',
      ended_at: 'end of the hazard',
      is_clock_ahead: 'source time is after the receipt',
      measures: 'further measures, in JSON',
    },
  },
  venue_payload: {
    row: 'an answer or message of a venue, word for word',
    columns: {
      endpoint: 'endpoint or channel',
      request: 'request that was answered',
      file: 'file of an archive; null: live',
      byte_count: 'length in bytes',
      body: 'the bytes as text',
    },
  },
  rule_change: {
    row: "a text of a market's rules when it replaced another",
    columns: {
      kind: 'archived: the first text; changed: another one',
      rules_sha256: 'SHA-256 of the texts',
      previous_sha256: 'SHA-256 of the texts before; null: the first',
      changed_fields: 'texts that differ from the ones before',
      resolution_question: 'question',
      resolution_criteria: 'criteria',
      resolution_sources: 'sources',
    },
  },
} as const satisfies Readonly<Record<string, ViewMeaning>>
