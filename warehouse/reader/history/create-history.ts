import { invariant } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import type { CommitVersions } from '../commit-versions.ts'
import type { NewestRows } from '../newest-rows.ts'
import type { LastTrade } from '../newest-trades.ts'
import { seqOf } from '../placed-row.ts'
import type { History, HistoryPage } from '../reader.ts'
import { fieldChainOf, withFieldChains } from './field-chains.ts'
import { findRecord, type RecordRule } from './find-record.ts'
import { fromNewest, type HistorySource } from './history-source.ts'
import { lastTradesAsOf } from './last-trades.ts'
import { readLevelLines } from './level-lines.ts'
import { levelsAtTicks } from './levels-at-ticks.ts'
import { newestAsOf } from './newest-as-of.ts'
import { quotesById } from './quotes-by-id.ts'
import { readCandles, readMarketCandles, readSamples } from './read-candles.ts'
import { readPage } from './read-page.ts'
import { findReceived, readPayloads } from './read-payloads.ts'
import { findRefusal, readRefusals } from './read-refusals.ts'
import { readTape, withReports } from './read-tape.ts'
import { readWhole } from './read-whole.ts'
import {
  indexSeries,
  marketSeries,
  quoteFieldSeries,
  severityValueSeries,
  storedTradeSeries,
  tapeSeries,
} from './series.ts'

/** Dependencies of reads of the past: files, the newest rows in memory, and the versions of commits. */
export type HistoryPorts = {
  readonly source: HistorySource
  readonly newest: (
    table: 'index_observation' | 'market_quote' | 'market_mark' | 'order_book' | 'severity_index_value',
  ) => NewestRows
  /** Last trade of each outcome of a market, from memory. */
  readonly lastTrades: (market_id: string) => readonly LastTrade[]
  readonly bookVersions: CommitVersions
}

const INDEX_RECORD: RecordRule = {
  table: 'index_observation',
  id: 'observation_id',
  key: 'index_id',
  chain_instant: 'tick_at',
}
const QUOTE_RECORD: RecordRule = {
  table: 'market_quote',
  id: 'record_id',
  key: 'market_id',
  chain_instant: 'source_at',
}
const MARK_RECORD: RecordRule = { table: 'market_mark', id: 'mark_id', key: 'market_id', chain_instant: 'tick_at' }
const TRADE_RECORD: RecordRule = { table: 'public_trade', id: 'trade_id', key: 'market_id', chain_instant: null }
const SEVERITY_RECORD: RecordRule = {
  table: 'severity_index_value',
  id: 'value_id',
  key: 'severity_index_id',
  chain_instant: 'source_cutoff_at',
}
const MARK_FIELD = /\.(mark|midpoint)$/
/** The last trade of a quote has the quote's id; of a trade, the trade's. */
const TRADE_FIELD = /^(?!obs_).*\.last_trade$/

/** Creates the reads of the past. */
export function createHistory({ source, newest, lastTrades, bookVersions }: HistoryPorts): History {
  const group = (table: 'market_quote' | 'market_mark', market_id: string, as_of: number) => {
    const asked = { table, key: { market_id }, newest: newest(table).group(market_id), as_of }
    return fromNewest(() => newestAsOf(source, asked))
  }
  return {
    observations: (index_id, page) => fromNewest(() => readPage(source, [indexSeries(index_id)], page)),
    sampledObservations: (index_id, range, page) =>
      fromNewest(() => readSamples(source, [indexSeries(index_id)], range, page)),
    async observation(observation_id, as_of) {
      const found = await fromNewest(() => findRecord(source, INDEX_RECORD, observation_id, as_of))
      if (found === null) return null
      return { row: viewRow(found.row), chain: found.chain.map((row) => String(row.observation_id)) }
    },
    wholeObservations: async (index_id, rows, as_of) =>
      (await fromNewest(() => readWhole(source, index_id, rows, as_of))).map(viewRow),
    observationsAtTicks: async (index_id, ticks, as_of) =>
      (await fromNewest(() => levelsAtTicks(source, index_id, ticks, as_of))).map(viewRow),
    quotesById: (asked) => fromNewest(() => quotesById(source, asked)),
    async latestObservation(index_id, as_of) {
      const keys = newest('index_observation').group(index_id)
      const asked = { table: 'index_observation', key: { index_id }, newest: keys, as_of } as const
      const [row] = await fromNewest(() => newestAsOf(source, asked))
      return row === undefined ? null : viewRow(row)
    },
    received: (observation_id, as_of) => fromNewest(() => findReceived(source, observation_id, as_of)),
    payloads: (asked) => fromNewest(() => readPayloads(source, asked)),
    async latestObservations(index_ids, as_of) {
      const keys = index_ids.flatMap((index_id) => newest('index_observation').group(index_id))
      const asked = { table: 'index_observation', key: {}, newest: keys, as_of } as const
      return (await fromNewest(() => newestAsOf(source, asked))).map(viewRow)
    },
    levelLines: (asked, interval, as_of) => fromNewest(() => readLevelLines(source, asked, interval, as_of)),
    indexCandles: (index_id, range, instants) =>
      fromNewest(() => readCandles(source, indexSeries(index_id), range, instants)),
    marketObservations: (request, page) =>
      fromNewest(async () => withFieldChains(source, await readPage(source, marketSeries(request), page), page.as_of)),
    sampledMarketObservations: (request, range, page) =>
      fromNewest(async () =>
        withFieldChains(source, await readSamples(source, marketSeries(request), range, page), page.as_of),
      ),
    marketObservation: (observation_id, as_of) =>
      fromNewest(() => findMarketObservation(source, observation_id, as_of)),
    async marketCandles({ market_id, outcome_id, field, trades }, range, instants) {
      const [series] = marketSeries({ market_id, outcome_id, field, trades })
      if (series === undefined) return []
      const has_trades =
        trades && lastTrades(market_id).some(({ first_published_at }) => first_published_at <= instants.as_of)
      const asked = { series, trades: has_trades ? tapeSeries(market_id, outcome_id) : null }
      return fromNewest(() => readMarketCandles(source, asked, range, instants))
    },
    async trade(trade_id, as_of) {
      const found = await fromNewest(() => findRecord(source, TRADE_RECORD, trade_id, as_of))
      if (found === null) return null
      const [row] = await fromNewest(() => withReports(source, String(found.row.market_id), [found.row], as_of))
      return { row: row!, chain: found.chain.map((link) => String(link.trade_id)) }
    },
    quotes: (market_id, as_of) => group('market_quote', market_id, as_of),
    lastTrades: (market_id, as_of) => fromNewest(() => lastTradesAsOf(source, market_id, lastTrades(market_id), as_of)),
    marks: (market_id, as_of) => group('market_mark', market_id, as_of),
    async book(market_id, outcome_id, as_of) {
      const known = newest('order_book').get({ market_id, outcome_id })
      if (known === null) return null
      const key = { market_id, outcome_id }
      const [row] = await fromNewest(() => newestAsOf(source, { table: 'order_book', key, newest: [known], as_of }))
      if (row === undefined) return null
      if (row === known.row) return { row, seq: known.seq }
      const { version } = await source.snapshot('order_book')
      const committed = await bookVersions.versionOf(toMicros(row.published_at), version)
      return { row, seq: seqOf(committed, row.row_ordinal as number) }
    },
    async bookAt(market_id, outcome_id, { source_to, as_of }) {
      const known = newest('order_book').get({ market_id, outcome_id })
      if (known === null) return null
      const key = { market_id, outcome_id }
      const asked = { table: 'order_book', key, newest: [known], as_of, instant_to: source_to } as const
      return (await fromNewest(() => newestAsOf(source, asked)))[0] ?? null
    },
    trades: (asked, page) => fromNewest(() => readTape(source, asked, page)),
    severityValues: (severity_index_id, page) =>
      fromNewest(() => readPage(source, [severityValueSeries(severity_index_id)], page)),
    async severityValueById(value_id, as_of) {
      const found = await fromNewest(() => findRecord(source, SEVERITY_RECORD, value_id, as_of))
      return found === null ? null : { row: found.row, chain: found.chain.map((row) => String(row.value_id)) }
    },
    async severityValue(severity_index_id, as_of) {
      const known = newest('severity_index_value').get({ severity_index_id })
      if (known === null) return null
      const asked = { table: 'severity_index_value', key: { severity_index_id }, newest: [known], as_of } as const
      return (await fromNewest(() => newestAsOf(source, asked)))[0] ?? null
    },
    refusals: (page) => fromNewest(() => readRefusals(source, page)),
    refusal: (refusal_id, as_of) => fromNewest(() => findRefusal(source, refusal_id, as_of)),
  }
}

/** Adds the columns of the public view to a row of the table. */
function viewRow(row: Row): Row {
  return { ...row, published_at_ts_ms: Math.floor(toMicros(row.published_at) / 1000) }
}

function ruleOf(observation_id: string): RecordRule {
  if (MARK_FIELD.test(observation_id)) return MARK_RECORD
  return TRADE_FIELD.test(observation_id) ? TRADE_RECORD : QUOTE_RECORD
}

/** Finds one value of a stored record: the id of a market observation is the record's id, a point, the field. */
async function findMarketObservation(source: HistorySource, observation_id: string, as_of: number) {
  const point = observation_id.lastIndexOf('.')
  if (point < 0) return null
  const [record_id, field] = [observation_id.slice(0, point), observation_id.slice(point + 1)]
  const rule = ruleOf(observation_id)
  const found = await findRecord(source, rule, record_id, as_of)
  if (found === null) return null
  const market_id = String(found.row.market_id)
  const published = toMicros(found.row.published_at)
  const page: HistoryPage = {
    time_domain: 'published',
    start: published,
    end: published + 1,
    after: null,
    limit: 10_000,
    quality_state: null,
    include_corrections: true,
    as_of,
  }
  const outcome_id = String(found.row.outcome_id)
  const series = {
    [MARK_RECORD.table]: () => marketSeries({ market_id, outcome_id, field, trades: false }),
    [TRADE_RECORD.table]: () => [storedTradeSeries({ market_id, outcome_id })],
    [QUOTE_RECORD.table]: () => [quoteFieldSeries(market_id, outcome_id, field)],
  }[rule.table]
  invariant(series !== undefined, `market observations of ${rule.table}`)
  const records = await readPage(source, series(), page)
  const row = records.find((record) => record.observation_id === observation_id)
  if (row === undefined) return null
  if (rule === MARK_RECORD) return { ...(await fieldChainOf(source, row, as_of)), quote: null }
  const quote = rule === QUOTE_RECORD ? found.row : null
  return { row, quote, chain: found.chain.map((link) => `${link[rule.id]}.${field}`) }
}
