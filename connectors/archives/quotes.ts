import { rememberingReaders } from '../../pipelines/text/fields.ts'
import {
  type KnownOutcomes,
  marketKey,
  parseQuoteRow,
  parseTradeRow,
  QUOTE_COLUMNS,
  TRADE_COLUMNS,
} from '../../pipelines/venues/quotes-archive.ts'
import { parseMarketLine, parseResolutionLine } from '../../pipelines/venues/quotes-archive-lines.ts'
import type { ArchiveContent, ReferenceRecord } from '../../pipelines/venues/record.ts'
import type { Micros } from '../../primitives/instants.ts'
import { findArchiveFile, findOptionalArchiveFile } from './archive-file.ts'
import { type Collected, collectCsv, collectJsonLines } from './collect.ts'
import { QUOTES_FILES } from './file-names.ts'

/**
 * Reads an archive of the neutral format (docs/archives.md): markets.jsonl and quotes.csv, and, if present, trades.csv and
 * resolutions.jsonl; each plain or with .gz.
 * @param now the wall clock, for records that claim a later receipt
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE or VALIDATION_ARCHIVE_INVALID
 */
export async function readQuotesArchive(dir: string, now: Micros): Promise<ArchiveContent> {
  const files = {
    markets: findArchiveFile(dir, QUOTES_FILES.markets),
    quotes: findArchiveFile(dir, QUOTES_FILES.quotes),
    trades: findOptionalArchiveFile(dir, QUOTES_FILES.trades),
    resolutions: findOptionalArchiveFile(dir, QUOTES_FILES.resolutions),
  }
  const markets = await collectJsonLines(files.markets, (line) => parseMarketLine(line, line.object, now))
  const outcomes = knownOutcomes(markets.records)
  const archive = { outcomes, read: rememberingReaders(), now }
  const quotes = await collectCsv(files.quotes, QUOTE_COLUMNS, (row) => parseQuoteRow(row, archive))
  const trades = await orNothing(files.trades, (file) =>
    collectCsv(file, TRADE_COLUMNS, (row) => parseTradeRow(row, archive)),
  )
  const resolutions = await orNothing(files.resolutions, (file) =>
    collectJsonLines(file, (line) => parseResolutionLine(line, line.object, outcomes, now)),
  )
  return {
    files: Object.values(files).flatMap((file) => (file === null ? [] : [file.name])),
    quotes: quotes.records,
    trades: trades.records,
    books: [],
    metrics: [],
    hazards: [],
    payloads: [],
    resolutions: resolutions.records,
    references: markets.records,
    quarantine: [markets, quotes, trades, resolutions].flatMap(({ quarantine }) => quarantine),
  }
}

/** Returns the outcome labels of every market that the archive describes. */
export function knownOutcomes(markets: readonly ReferenceRecord[]): KnownOutcomes {
  const known = new Map<string, readonly string[]>()
  for (const { venue_id, source_market_id, outcomes } of markets) {
    const key = marketKey(venue_id, source_market_id)
    known.set(key, [...new Set([...(known.get(key) ?? []), ...outcomes])])
  }
  return known
}

async function orNothing<F, T>(file: F | null, read: (file: F) => Promise<Collected<T>>): Promise<Collected<T>> {
  return file === null ? { records: [], quarantine: [] } : read(file)
}
