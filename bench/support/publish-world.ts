import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Micros } from '../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { appender, defineInvented } from './define-invented.ts'
import { type InventedSize, inventedBooks, inventedIndex, inventedMarkets } from './invented-indexes.ts'
import { MINUTE, YEAR_START } from './synthetic-books.ts'

export type PublishWorldSize = InventedSize & { readonly indexes: number }

/** Warehouse under a clock set by hand, with indexes over invented markets that quote each minute. */
export type PublishWorld = {
  readonly warehouse: Warehouse
  readonly index_ids: readonly string[]
  /** Commits a new book of both outcomes of each market between two ticks, then sets the clock to the tick and its grace. */
  nextMinute(): Promise<Micros>
  /** Commits the books of several minutes at once, each received at its minute, then sets the clock a minute after them. */
  history(minutes: number): Promise<void>
  close(): Promise<void>
}

/** Opens a world in a folder of its own. */
export async function publishWorld(size: PublishWorldSize): Promise<PublishWorld> {
  const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const clock = { now: YEAR_START - 2 * MINUTE }
  const ports = { now: async () => clock.now, without_clock_guards: true }
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true, ports })
  const append = appender(warehouse)
  const files = Array.from({ length: size.indexes }, (_, i) => inventedIndex(i, size, YEAR_START))
  await append('market', inventedMarkets(size.markets, YEAR_START))
  await defineInvented(append, files)
  const books = inventedBooks(size.markets)
  let minute = 0
  return {
    warehouse,
    index_ids: files.map(({ index }) => index.index_id),
    async nextMinute() {
      const tick = YEAR_START + minute * MINUTE
      minute += 1
      clock.now = tick - 10_000_000
      await append('market_quote', books(clock.now))
      clock.now = tick + 5_500_000
      return tick
    },
    async history(minutes) {
      const day = 1440
      clock.now = YEAR_START + (minutes + 1) * MINUTE
      for (; minute < minutes; minute += day) {
        const ticks = Array.from({ length: Math.min(day, minutes - minute) }, (_, i) => minute + i)
        await append(
          'market_quote',
          ticks.flatMap((i) => books(YEAR_START + i * MINUTE - 10_000_000)),
        )
      }
    },
    async close() {
      await warehouse.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
