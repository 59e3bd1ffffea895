import { buildCandles, type CandleRow, parseInterval } from '../../pipelines/market/candles.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { vectorCase, vectorFile } from './vector-file.ts'

/** Published level, instants as text. */
type Row = {
  readonly observation_id: string
  readonly tick_at: Instant
  readonly revision: number
  readonly level: string | null
  readonly quality_state: string
  readonly coverage_ratio: string
  readonly published_at: Instant
}

const at = (time: string) => `2026-11-21T${time}Z`
const row = (n: number, tick: string, published: string, level: string | null, more: Partial<Row> = {}): Row => ({
  observation_id: `iob_${n}`,
  tick_at: at(tick),
  revision: 1,
  level,
  quality_state: level === null ? 'suspended' : 'valid',
  coverage_ratio: '1.000000',
  published_at: at(published),
  ...more,
})

/** Four ticks, a correction of the second one, a backfill of an old one, and a late correction of that. */
const ROWS: readonly Row[] = [
  row(1, '00:01:00', '00:01:02', '40.0000'),
  row(2, '00:02:00', '00:02:02', '41.0000'),
  row(3, '00:03:00', '00:03:02', '39.5000', { coverage_ratio: '0.900000' }),
  row(4, '00:02:00', '00:04:30', '41.5000', { revision: 2, quality_state: 'corrected' }),
  row(5, '00:06:00', '00:06:02', null),
  row(6, '00:00:00', '00:07:00', '38.0000'),
  row(7, '00:00:00', '00:08:00', '38.2500', { revision: 2, quality_state: 'corrected' }),
]

type CandleInput = {
  readonly rows: readonly Row[]
  readonly from: Instant
  readonly to: Instant
  readonly interval: string
  readonly at: Instant
}

function candleAnswer(input: CandleInput) {
  const rows: CandleRow[] = input.rows.map((one, row_ordinal) => ({
    ...one,
    tick_at: toMicros(one.tick_at),
    source_cutoff_at: toMicros(one.tick_at),
    published_at: toMicros(one.published_at),
    row_ordinal,
    methodology_version: '1.0.0',
  }))
  const range = { from: toMicros(input.from), to: toMicros(input.to), interval: parseInterval(input.interval) }
  return { candles: buildCandles(rows, range, { at: toMicros(input.at), trades: null }) }
}

const CURRENT = ROWS.filter(({ observation_id }) => observation_id !== 'iob_2' && observation_id !== 'iob_6')

/** Makes candles.json: buckets of levels, and intervals that are refused. */
export function makeCandles() {
  const whole = { rows: CURRENT, from: at('00:00:00'), to: at('00:10:00'), interval: 'PT5M', at: at('00:10:00') }
  const inputs: Readonly<Record<string, CandleInput>> = {
    'buckets of five minutes; one without a price is omitted': whole,
    'buckets of one minute': { ...whole, interval: 'PT1M' },
    'a range that cuts a bucket is not final': { ...whole, from: at('00:02:00') },
    'a bucket that is still open is not final': { ...whole, at: at('00:04:59') },
    'no rows': { ...whole, rows: [] },
    'a stale row gives its state and no price': {
      ...whole,
      rows: [...CURRENT, row(8, '00:04:00', '00:04:02', '39.5000', { quality_state: 'stale' })],
    },
    'another interval': { ...whole, interval: 'PT7M' },
    'an instant without a zone': { ...whole, from: '2026-11-21T00:00:00' },
  }
  const cases = Object.entries(inputs).map(([name, input]) => vectorCase(name, 'candles', input, candleAnswer))
  return vectorFile('Candles of levels in half-open buckets (methodology index-1, section 15).', cases)
}

type AsOfInput = { readonly as_of: Instant }

/** Answers as the definition reads: known rows, the last revision of each tick, the last tick. */
function asOfAnswer({ as_of }: AsOfInput) {
  const until = toMicros(as_of, 'as_of')
  const heads = new Map<number, Row>()
  for (const one of ROWS) {
    const tick = toMicros(one.tick_at)
    const head = heads.get(tick)
    if (toMicros(one.published_at) <= until && (head === undefined || one.revision > head.revision))
      heads.set(tick, one)
  }
  const current = [...heads].sort(([a], [b]) => a - b).map(([, { observation_id }]) => observation_id)
  return { latest: current.at(-1) ?? null, current }
}

/** Makes as-of.json: what was known at an instant. */
export function makeAsOf() {
  const times = [
    '00:01:01.999999',
    '00:01:02',
    '00:02:02',
    '00:03:02',
    '00:04:29.999999',
    '00:04:30',
    '00:06:02',
    '00:07:00',
    '00:08:00',
  ]
  const known = times.map((time) => vectorCase(time, 'as_of', { as_of: at(time) }, asOfAnswer))
  const refused = ['2026-11-21', '2026-11-21T00:01:02', '2026-02-30T00:00:00Z', 'now'].map((as_of) =>
    vectorCase(`as_of ${as_of}`, 'as_of', { as_of }, asOfAnswer),
  )
  const about = 'Answers as of an instant (methodology index-1, section 14): null before anything was published.'
  return vectorFile(about, [...known, ...refused], { rows: ROWS })
}
