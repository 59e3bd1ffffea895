/**
 * Measures reading a simulated day's payloads into quotes, trades and books, each kind beside a naive reader (JSON.parse and
 * decimal.js) that gives the same records. The limit is JSON.parse alone, which gives no records and reads numbers as doubles.
 * In CPU seconds of one process, the three taking turns.
 * Goal: 5 times the naive reader for every kind.
 */

import { isDeepStrictEqual } from 'node:util'
import type { VenueRecords } from '../pipelines/venues/record.ts'
import { InvariantError, invariant } from '../primitives/errors.ts'
import type { BenchRow } from './bench-row.ts'
import type { NaiveRecords } from './support/naive/reader.ts'
import { type ParseKind, parseKinds } from './support/parse-kinds.ts'
import { median, rounded } from './support/rounds.ts'

const ROUNDS = 5

export async function run(): Promise<BenchRow[]> {
  return parseKinds().map(measure)
}

function measure(kind: ParseKind): BenchRow {
  checkEqual(kind)
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

/** Returns the CPU microseconds of reading all payloads of the kind. */
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

/** Checks that both readers give the same quotes, trades and books of every payload and of the last minutes. */
function checkEqual({ name, before, payloads, createReader, createNaive }: ParseKind): void {
  const [reader, naive] = [createReader(), createNaive()]
  for (const payload of before) for (const one of [reader, naive]) one.read(payload)
  let quotes = 0
  for (const payload of payloads) {
    const ours = reader.read(payload)
    invariant(ours.quarantine === undefined, `${name}: ${JSON.stringify(ours.quarantine)} ${payload.text}`)
    checkSame(name, ours, naive.read(payload), payload.text)
    quotes += ours.quotes?.length ?? 0
  }
  checkSame(name, reader.finish?.() ?? {}, { books: naive.finish?.() ?? [] }, 'the last minutes')
  invariant(quotes > 1000, `${name}: ${quotes} quotes are enough to compare`)
}

function checkSame(name: string, ours: VenueRecords, theirs: NaiveRecords, about: string): void {
  for (const kind of ['quotes', 'trades', 'books'] as const) {
    const [found, expected] = [ours[kind] ?? [], theirs[kind] ?? []]
    if (isDeepStrictEqual(found, expected)) continue
    throw new InvariantError(`${name}: ${JSON.stringify(found)} beside ${JSON.stringify(expected)} from ${about}`)
  }
}
