import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TABLE_FORMS } from '../../api/transparency/record-forms.ts'
import { computeIndexes } from '../../operations/index/compute-indexes.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { LOG_KEY, signedBy } from '../../test/support/log/log-keys.ts'
import { openLogWriter } from '../../warehouse/transparency/log-writer.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { appender, defineInvented } from './define-invented.ts'
import { inventedBooks, inventedIndex, inventedMarkets } from './invented-indexes.ts'
import { MINUTE, YEAR_START } from './synthetic-books.ts'

/** First tick: the whole year is in the past. */
const START = YEAR_START - 365 * 1440 * MINUTE

export type VerifyWorldSize = {
  readonly frequency: 'PT1H' | 'PT1M'
  readonly constituents: number
  readonly ticks: number
}

/** Home with one index, whose every level rests on quotes of its own and is in the log. */
export type VerifyWorld = { readonly root: string; remove(): void }

/** Step of the clock each time it is read. */
const CLOCK_STEP = 1000

/** Commits of quotes; a larger one would need more memory. */
const TICKS_A_COMMIT = 1440

/** Publishes the levels of an index over invented markets, and enters them in a log. */
export async function verifyWorld({ frequency, constituents, ticks }: VerifyWorldSize): Promise<VerifyWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const root = join(folder, 'warehouse')
  const step = frequency === 'PT1H' ? 60 * MINUTE : MINUTE
  const clock = { now: START - 2 * MINUTE }
  // Every commit is later than the one before, whatever its table: a level may use only what was published before it.
  const now = async () => {
    clock.now += CLOCK_STEP
    return clock.now
  }
  const ports = { now, without_clock_guards: true }
  const warehouse = await openWarehouse({ root, create: true, ports })
  const append = appender(warehouse)
  const size = { constituents, markets: constituents }
  const file = inventedIndex(0, size, START)
  const [version] = file.versions
  await append('market', inventedMarkets(constituents, START))
  await defineInvented(append, [{ ...file, versions: [{ ...version!, calculation_frequency: frequency }] }])
  const books = inventedBooks(constituents)
  clock.now = START + (ticks + 1) * step
  for (let from = 0; from < ticks; from += TICKS_A_COMMIT) {
    const some = Array.from({ length: Math.min(TICKS_A_COMMIT, ticks - from) }, (_, n) => from + n)
    await append(
      'market_quote',
      some.flatMap((n) => books(START + n * step - 30_000_000)),
    )
  }
  await publish(warehouse, file.index.index_id, START + ticks * step)
  await enterInLog(warehouse)
  await warehouse.close()
  return { root, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

async function publish(warehouse: Warehouse, index_id: string, to: Micros): Promise<void> {
  const range = { from: formatMicros(START), to: formatMicros(to) }
  await computeIndexes({ warehouse, index_ids: [index_id], ...range, clock: 'wall' })
}

async function enterInLog(warehouse: Warehouse): Promise<void> {
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
}
