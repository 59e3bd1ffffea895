import { formatMicros } from '../../../primitives/instants.ts'
import { type Grid, PRICE_ONE } from '../../world/grid.ts'
import type { BookMarket, Stage } from '../../world/market-state.ts'
import type { EventPlan } from '../../world/plan.ts'
import { fixedPrice, fixedSize } from '../decimal-text.ts'
import type { WireValue } from '../wire-json.ts'
import type { MarketNames } from './names.ts'
import { touchFields } from './touch.ts'

type Fields = Readonly<Record<string, WireValue | undefined>>

const STATUS: Readonly<Record<Stage, string>> = {
  announced: 'initialized',
  open: 'active',
  closed: 'closed',
  proposed: 'determined',
  disputed: 'disputed',
  final: 'finalized',
}

const STRUCTURES = {
  cent: { name: 'linear_cent', ranges: [['0.0000', '1.0000', '0.0100']] },
  deci_cent: { name: 'deci_cent', ranges: [['0.0000', '1.0000', '0.0010']] },
  tapered: {
    name: 'tapered_deci_cent',
    ranges: [
      ['0.0000', '0.1000', '0.0010'],
      ['0.1000', '0.9000', '0.0100'],
      ['0.9000', '1.0000', '0.0010'],
    ],
  },
} as const satisfies Record<Grid, { name: string; ranges: readonly (readonly [string, string, string])[] }>

/** Returns a market object: dollars and fixed-point contracts only, as since the withdrawal of cents. */
export function kalshiMarket(market: BookMarket, event: EventPlan, names: MarketNames): Fields {
  const { plan, stage, volume, last_trade } = market
  const structure = STRUCTURES[market.grid]
  const close_time = formatMicros(plan.scheduled_close_at)
  const last = fixedPrice(last_trade?.price ?? 0)
  return {
    ticker: names.ticker,
    event_ticker: names.event_ticker,
    market_type: 'binary',
    title: plan.question,
    subtitle: '',
    yes_sub_title: plan.label === 'Yes' ? event.title : plan.label,
    no_sub_title: plan.label === 'Yes' ? event.title : plan.label,
    created_time: formatMicros(plan.created_at),
    open_time: formatMicros(plan.opens_at),
    close_time,
    expected_expiration_time: close_time,
    expiration_time: close_time,
    latest_expiration_time: close_time,
    settlement_timer_seconds: 1800,
    status: STATUS[stage],
    response_price_units: 'usd_cent',
    notional_value_dollars: '1.0000',
    ...touchFields(market),
    last_price_dollars: last,
    previous_price_dollars: last,
    volume_fp: fixedSize(volume),
    volume_24h_fp: fixedSize(volume),
    open_interest_fp: fixedSize(openInterest(market)),
    price_level_structure: structure.name,
    price_ranges: structure.ranges.map(([start, end, step]) => ({ start, end, step })),
    ...resultFields(market),
    can_close_early: true,
    rules_primary: plan.rules?.primary ?? `If so, the market resolves to Yes. ${plan.question}`,
    rules_secondary: plan.rules?.secondary ?? '',
  }
}

/** Returns the result and the payout of YES; "" while nothing is determined. A void pays half, as a scalar. */
function resultFields({ stage, stage_at, proposed_payout, final_payout }: BookMarket): Fields {
  const payout =
    stage === 'final' ? final_payout : stage === 'proposed' || stage === 'disputed' ? proposed_payout : null
  if (payout === null) return { result: '', expiration_value: '' }
  return {
    result: resultOf(payout),
    expiration_value: '',
    settlement_value_dollars: fixedPrice(payout),
    settlement_ts: stage === 'final' ? formatMicros(stage_at) : undefined,
  }
}

/** Returns the word for a payout of YES. */
export function resultOf(payout: number): 'yes' | 'no' | 'scalar' {
  if (payout === PRICE_ONE) return 'yes'
  return payout === 0 ? 'no' : 'scalar'
}

/** Returns contracts held: a part of all contracts ever traded. */
export function openInterest({ volume }: BookMarket): number {
  return Math.floor((volume * 3) / 5)
}

/** Returns an event object without its markets. */
export function kalshiEvent(event: EventPlan, names: MarketNames): Fields {
  return {
    event_ticker: names.event_ticker,
    series_ticker: names.series_ticker,
    title: event.title,
    sub_title: event.kind === 'binary' ? '' : event.kind,
    category: event.category,
    mutually_exclusive: event.kind === 'multi',
    collateral_return_type: event.kind === 'multi' ? 'MECNET' : '',
    strike_period: '',
    available_on_brokers: false,
  }
}

/** Returns a series object. */
export function kalshiSeries(event: EventPlan, names: MarketNames): Fields {
  return {
    ticker: names.series_ticker,
    title: event.title,
    category: event.category,
    frequency: 'custom',
    fee_type: 'quadratic',
    fee_multiplier: 1,
    tags: [],
    settlement_sources: [],
    additional_prohibitions: null,
    contract_url: '',
    contract_terms_url: '',
  }
}
