import { formatContribution, formatLevel, type LevelInput, levelSums } from '../../pipelines/index/level.ts'
import { baseFactor, linkFactor } from '../../pipelines/index/link.ts'
import { decodeParameters, resolveParameters } from '../../pipelines/index/parameters.ts'
import { formatMark } from '../../pipelines/market/mark.ts'
import { markOutcome } from '../../pipelines/market/outcome.ts'
import type { Quote } from '../../pipelines/market/quote.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../../primitives/decimal.ts'
import { MICROS_PER_SECOND, toMicros } from '../../primitives/instants.ts'
import type { FreshnessClass } from '../../vocabulary/index-level.ts'
import { vectorCase, vectorFile } from './vector-file.ts'

const d = (text: string): Decimal => parseDecimal(text, 'vector')
const CUTOFF = toMicros('2026-11-21T00:00:00Z')
const P = decodeParameters(resolveParameters({}))

/** Quote as a vector has it: decimals as text, ages in seconds before the cutoff. */
type QuoteText = Partial<
  Record<'bid' | 'ask' | 'bid_depth' | 'ask_depth' | 'last_trade' | 'reported_probability', string>
> & {
  readonly age_s?: number
  readonly last_trade_age_s?: number
}
type MarkInput = {
  readonly quote?: QuoteText
  readonly other?: QuoteText
  readonly resolution?: {
    readonly finality: 'final' | 'proposed'
    readonly payout: string | null
    readonly age_s: number
  }
}

const before = (age_s: number) => CUTOFF - age_s * MICROS_PER_SECOND

function quoteOf(text: QuoteText | undefined): Quote | null {
  if (text === undefined) return null
  const decimal = (value: string | undefined) => (value === undefined ? null : d(value))
  const source_at = before(text.age_s ?? 0)
  const { last_trade_age_s } = text
  return {
    record_id: 'obs_q',
    revision: 1,
    source_at,
    received_at: source_at,
    confirmed_at: null,
    source_sequence: null,
    bid: decimal(text.bid),
    ask: decimal(text.ask),
    bid_depth: decimal(text.bid_depth),
    ask_depth: decimal(text.ask_depth),
    last_trade: decimal(text.last_trade),
    last_trade_at: last_trade_age_s === undefined ? null : before(last_trade_age_s),
    reported_probability: decimal(text.reported_probability),
  }
}

function markAnswer({ quote, other, resolution }: MarkInput) {
  const settled = resolution === undefined ? null : resolutionOf(resolution)
  const outcome = { quote: quoteOf(quote), other: quoteOf(other), resolution: settled, market: null, can_freeze: false }
  const { mark, reason } = markOutcome(outcome, null, CUTOFF, P)
  return { rule: mark?.rule ?? null, value: mark === null ? null : formatMark(mark), reason }
}

function resolutionOf({ finality, payout, age_s }: NonNullable<MarkInput['resolution']>) {
  const source_at = before(age_s)
  const ids = { resolution_id: 'res_1', evidence_id: 'res_1', revision: 1, source_at, received_at: source_at }
  return { ...ids, finality, payout: payout === null ? null : d(payout) }
}

const book = (bid: string, ask: string, more: QuoteText = {}): QuoteText => ({ bid, ask, ...more })
const MARKS: Readonly<Record<string, MarkInput>> = {
  'a tight book: its middle': { quote: book('0.62', '0.64') },
  'a middle of seven digits is rounded half even': { quote: book('0.6200005', '0.6200006') },
  'a wider book with size: weighted by the other side': {
    quote: book('0.58', '0.64', { bid_depth: '900', ask_depth: '300' }),
  },
  'a wider book without enough size': { quote: book('0.58', '0.64', { bid_depth: '0.5', ask_depth: '300' }) },
  'a wide book with a trade inside': { quote: book('0.40', '0.55', { last_trade: '0.47', last_trade_age_s: 300 }) },
  'a wide book with a trade beyond the ask': {
    quote: book('0.40', '0.55', { last_trade: '0.61', last_trade_age_s: 300 }),
  },
  'a trade alone': { quote: { last_trade: '0.52', last_trade_age_s: 60 } },
  'a trade below the bid: clamped': { quote: { bid: '0.60', last_trade: '0.52', last_trade_age_s: 60 } },
  'a reported probability alone': { quote: { reported_probability: '0.333333333' } },
  'only the other outcome has a mark': { other: book('0.28', '0.295') },
  'a final resolution wins over any quote': {
    quote: book('0.62', '0.64'),
    resolution: { finality: 'final', payout: '1', age_s: 10 },
  },
  'a measured zero is a value': { quote: { reported_probability: '0' } },
  'no quote': {},
  'a locked book': { quote: book('0.64', '0.64') },
  'a crossed book': { quote: book('0.66', '0.64') },
  'an ask above 1': { quote: book('0.99', '1.01') },
  'a book of one side': { quote: { bid: '0.6' } },
  'a book too wide, without a trade': { quote: book('0.10', '0.90') },
  'a book too old': { quote: book('0.62', '0.64', { age_s: 10_000_000 }) },
  'a trade whose time is unknown': { quote: { last_trade: '0.52' } },
  'a final resolution without a payout': { resolution: { finality: 'final', payout: null, age_s: 10 } },
}

/** Makes marks.json: the mark of one outcome, by the first rule that applies. */
export function makeMarks() {
  const cases = Object.entries(MARKS).map(([name, input]) => vectorCase(name, 'mark', input, markAnswer))
  const about =
    'Mark of one outcome at a cutoff (methodology index-1, section 4), with default parameters; null: there is none.'
  return vectorFile(about, cases, { cutoff_at: '2026-11-21T00:00:00Z' })
}

type ConstituentText = {
  readonly weight: string
  readonly x: string | null
  readonly confidence: string
  readonly freshness: FreshnessClass
}
type LevelTexts = { readonly link_factor: string; readonly constituents: readonly ConstituentText[] }

const one = (
  weight: string,
  x: string | null,
  freshness: FreshnessClass = 'fresh',
  confidence = '1',
): ConstituentText => ({ weight, x, confidence, freshness })
const LEVELS: Readonly<Record<string, LevelTexts>> = {
  'five constituents': {
    link_factor: '100',
    constituents: [
      one('0.3000000000', '0.415000'),
      one('0.3000000000', '0.222500'),
      one('0.2074074074', '0.640000'),
      one('0.1333333333', '0.085000'),
      one('0.0592592593', '0.910000'),
    ],
  },
  'the same, chain-linked': {
    link_factor: '2569.043031276078',
    constituents: [one('0.3000000000', '0.427500'), one('0.3000000000', '0.222500'), one('0.4000000000', '0.655000')],
  },
  'one is missing: left out, never zero': {
    link_factor: '100',
    constituents: [one('0.6', '0.5'), one('0.4', null, 'missing', '0')],
  },
  'one is stale: used, but not covered': {
    link_factor: '100',
    constituents: [one('0.6', '0.5'), one('0.4', '0.25', 'stale', '0.5')],
  },
  'a measured zero counts': {
    link_factor: '100',
    constituents: [one('0.5', '0.000000'), one('0.5', '1.000000', 'settled')],
  },
  'a tie is rounded to the even digit': {
    link_factor: '100',
    constituents: [one('1', '0.123450'), one('1', '0.123451')],
  },
  'nothing is usable: no level': {
    link_factor: '100',
    constituents: [one('0.6', null, 'missing', '0'), one('0.4', null, 'missing', '0')],
  },
}

function levelAnswer({ link_factor, constituents }: LevelTexts) {
  const inputs: LevelInput[] = constituents.map(({ weight, x, confidence, freshness }) => ({
    w: d(weight),
    x: x === null ? null : d(x),
    c: d(confidence),
    freshness,
  }))
  const sums = levelSums(inputs)
  const k = d(link_factor)
  const share = (input: LevelInput) =>
    input.x === null ? null : formatContribution(k, input.w, input.x, sums.used_weight)
  return {
    level: sums.s === null ? null : formatLevel(k, sums.s),
    s: sums.s === null ? null : sums.s.toFixed(),
    coverage_ratio: formatDecimal(sums.coverage_ratio, 6),
    usable_ratio: formatDecimal(sums.usable_ratio, 6),
    confidence: formatDecimal(sums.confidence, 4),
    contributions: inputs.map(share),
  }
}

/** Makes levels.json: level, ratios and contributions from weights and values. */
export function makeLevels() {
  const cases = Object.entries(LEVELS).map(([name, input]) => vectorCase(name, 'level', input, levelAnswer))
  return vectorFile('Level, ratios and contributions (methodology index-1, section 9).', cases)
}

const BASES = [
  ['1000', '0.389250000030'],
  ['100', '0.3333333333333333333333333333333333'],
  ['1000', '0'],
] as const
const LINKS = [
  ['2569.043031276078', '2569.043031276078', '0.342185185178', '0.369875000000'],
  ['100', '100', '0.5', '0.25'],
  ['100', '100', '0.000000000001', '0.5'],
  ['100', '100', '0.5', '0'],
  ['100', '100', null, '0.5'],
  ['900', '100', '0.5', '0.25'],
  ['20', '100', '0.25', '0.9'],
] as const

/** Makes links.json: link factors, and links that the methodology refuses. */
export function makeLinks() {
  const bases = BASES.map(([base_value, s]) =>
    vectorCase(`base ${base_value} over ${s}`, 'base_factor', { base_value, s }, (input) => ({
      link_factor: formatDecimal(baseFactor(d(input.base_value), d(input.s), '1'), 12),
    })),
  )
  const links = LINKS.map(([k_old, k_first, s_old, s_new]) =>
    vectorCase(
      `K ${k_old}, first ${k_first}, from ${s_old} to ${s_new}`,
      'link_factor',
      { k_old, k_first, s_old, s_new },
      (input) => {
        const sums = [input.s_old, input.s_new].map((s) => (s === null ? null : d(s)))
        return {
          link_factor: formatDecimal(linkFactor(d(input.k_old), d(input.k_first), sums[0]!, sums[1]!, P.link, '2'), 12),
        }
      },
    ),
  )
  return vectorFile('Link factors (methodology index-1, section 10), with default parameters.', [...bases, ...links])
}
