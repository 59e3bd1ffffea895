import { isDeepStrictEqual } from 'node:util'
import type { QuoteRecord } from '../pipelines/venues/record.ts'
import { invariant } from '../primitives/errors.ts'
import type { Micros } from '../primitives/instants.ts'
import type { BenchRow } from './bench-row.ts'
import type { NaiveQuote } from './support/naive-readers.ts'
import { type ParseKind, parseKinds } from './support/parse-kinds.ts'
import { median, rounded } from './support/rounds.ts'

const ROUNDS = 5

/**
 * Payloads of a simulated day to quote records, each kind beside a naive reader (JSON.parse and decimal.js) that gives the
 * same quotes and, as the limit, beside JSON.parse alone, which gives none and reads numbers as doubles. CPU seconds of one
 * process, the three taking turns. Ours also checks every field, and gives books and trades that the naive reader leaves out.
 * Goal: 5 times the naive reader, kind by kind.
 */
export async function run(): Promise<BenchRow[]> {
  return parseKinds().map(measure)
}

function measure(kind: ParseKind): BenchRow {
  checkQuotes(kind)
  const [ours, naive, limit] = [[], [], []] as [number[], number[], number[]]
  for (let round = 0; round <= ROUNDS; round++) {
    const timed = [
      [ours, readAll(kind, kind.createReader())],
      [naive, readAll(kind, kind.createNaive())],
      [limit, readAll({ ...kind, before: [] }, { read: ({ text }) => JSON.parse(text) })],
    ] as const
    // The first round warms up.
    for (const [times, microseconds] of timed) if (round > 0) times.push(microseconds / kind.payloads.length)
  }
  return {
    figure: `parse.${kind.name}`,
    value: rounded(median(ours.map((time, i) => naive[i]! / time))),
    unit: 'x',
    goal: { at_least: 5 },
    details: {
      payloads: kind.payloads.length,
      ours_us: ours.map(rounded),
      naive_us: naive.map(rounded),
      json_parse_us: limit.map(rounded),
    },
  }
}

/** CPU microseconds of reading all payloads of the kind. */
function readAll(
  { before, payloads }: ParseKind,
  reader: { read(payload: ParseKind['payloads'][number]): unknown },
): number {
  for (const payload of before) reader.read(payload)
  const started = process.cpuUsage()
  for (const payload of payloads) reader.read(payload)
  const { user, system } = process.cpuUsage(started)
  return user + system
}

/** No speed without equality: every quote of every payload. */
function checkQuotes({ name, before, payloads, createReader, createNaive }: ParseKind): void {
  const [reader, naive] = [createReader(), createNaive()]
  let quotes = 0
  for (const payload of before) [reader, naive].map((one) => one.read(payload))
  for (const payload of payloads) {
    const { quotes: read = [], quarantine = [] } = reader.read(payload)
    const found = naive.read(payload)
    const ours = read.map(comparable)
    invariant(quarantine.length === 0, `${name}: ${JSON.stringify(quarantine[0])} ${payload.text}`)
    invariant(
      isDeepStrictEqual(ours, found),
      `${name}: ${JSON.stringify(ours)} beside ${JSON.stringify(found)} from ${payload.text}`,
    )
    quotes += ours.length
  }
  invariant(quotes > 1000, `${name}: ${quotes} quotes are enough to compare`)
}

/** A quote with its instants as the naive reader gives them: texts of milliseconds. */
function comparable(quote: QuoteRecord): NaiveQuote {
  const { book, source_at, received_at } = quote
  return {
    ...quote,
    source_at: millisText(source_at),
    received_at: millisText(received_at),
    book: book && {
      ...book,
      last_trade_at: millisText(book.last_trade_at),
      confirmed_at: millisText(book.confirmed_at),
    },
  }
}

function millisText<T extends Micros | null>(micros: T): string | null {
  return micros === null ? null : new Date(Math.floor(micros / 1000)).toISOString()
}
