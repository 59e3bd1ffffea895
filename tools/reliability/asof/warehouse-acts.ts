import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { correctIndex } from '../../../operations/index/correct-index.ts'
import { publishMarks } from '../../../operations/marks/publish-marks.ts'
import { compactWarehouse } from '../../../operations/upkeep/compact-warehouse.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { HARBOR_INDEXES } from '../../../test/api/acceptance/harbor.ts'
import {
  correctedQuote,
  END,
  type HarborCommit,
  MINUTE,
  moreRows,
  START,
} from '../../../test/api/acceptance/harbor-rows.ts'
import { assessedRow, modelRow } from '../../../test/support/review-world.ts'
import { RATED_BANDS } from '../../../vocabulary/rating.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { TABLE_NAMES } from '../../../warehouse/tables.ts'
import type { AsofWorld } from './asof-world.ts'

export const ACTS = ['append', 'backfill', 'correct', 'compute', 'assess', 'compact', 'clean', 'restart'] as const
export type Act = (typeof ACTS)[number]

const HOUR = 60 * MINUTE
/** Delay between a venue's clock and the receipt of a live row. */
const DELAY: Micros = 5_000_000

/** Changes a warehouse in every way in which one changes. No act may change an answer as of an earlier instant. */
export class WarehouseActs {
  readonly #world: AsofWorld
  readonly #random: Random
  /** Newest revision of each quote that these acts have written. */
  readonly #quotes: Row[] = []
  #step = 0
  #computed_to: Micros = END

  constructor(world: AsofWorld, random: Random) {
    this.#world = world
    this.#random = random
  }

  async perform(act: Act): Promise<void> {
    this.#step += 1
    await this[act]()
  }

  /** Appends what venues show now. */
  async append(): Promise<void> {
    const now = await this.#world.warehouse.now()
    await this.#write(moreRows(now - DELAY, now, this.#step))
  }

  /** Appends what venues showed long ago, and corrects the levels that this concerns. */
  async backfill(): Promise<void> {
    const source = START + this.#random.below((END - START) / MINUTE) * MINUTE + this.#step
    await this.#write(moreRows(source, await this.#world.warehouse.now(), this.#step))
    await this.#correctIndexes()
  }

  /** Corrects a quote that was appended before, and the levels that this concerns. */
  async correct(): Promise<void> {
    if (this.#quotes.length === 0) await this.backfill()
    const place = this.#random.below(this.#quotes.length)
    const now = await this.#world.warehouse.now()
    const row = correctedQuote(this.#quotes[place]!, now, 100 + this.#random.below(800))
    await this.#write([{ table: 'market_quote', at: now, rows: [row] }])
    this.#quotes.splice(place, 1)
    await this.#correctIndexes()
  }

  /** Publishes the levels and marks of another hour. */
  async compute(): Promise<void> {
    const { warehouse } = this.#world
    const range = { from: formatMicros(this.#computed_to), to: formatMicros(this.#computed_to + HOUR) }
    this.#computed_to += HOUR
    await computeIndexes({ index_ids: HARBOR_INDEXES, ...range, clock: 'wall', warehouse })
    await publishMarks({ ...range, interval: 'PT1H', clock: 'wall', warehouse })
  }

  /** Publishes a rating and an assessment. */
  async assess(): Promise<void> {
    const now = await this.#world.warehouse.now()
    const band = RATED_BANDS[this.#random.below(RATED_BANDS.length)]!
    const level = `SEV-${1 + this.#random.below(4)}`
    await this.#write([
      { table: 'market_rating', at: now, rows: [modelRow('mkt_acts', band, now)] },
      { table: 'severity_assessment', at: now, rows: [assessedRow('evt_a', level, now)] },
    ])
  }

  /** Merges the files of every day, the open one too, and derives interval files. */
  async compact(): Promise<void> {
    const { warehouse } = this.#world
    for (const table of TABLE_NAMES) {
      const log = warehouse.log(table)
      const days = new Set((await log.snapshot()).files.map(({ published_date }) => published_date))
      for (const published_date of days) await log.compact({ published_date })
    }
    await compactWarehouse({ warehouse, interval_rows_min: 1 })
  }

  /** Deletes all replaced files and archives old commits while nobody reads. */
  async clean(): Promise<void> {
    await this.#world.close()
    await this.#world.open()
    for (const table of TABLE_NAMES) await this.#world.warehouse.log(table).vacuum({ retention_ms: 0 })
    await this.restart()
  }

  async restart(): Promise<void> {
    await this.#world.close()
    await this.#world.open()
  }

  async #correctIndexes(): Promise<void> {
    const { warehouse } = this.#world
    for (const index_id of HARBOR_INDEXES)
      await correctIndex({ index_id, from: null, to: null, reason: 'LATE_DATA', warehouse })
  }

  async #write(commits: readonly HarborCommit[]): Promise<void> {
    for (const [place, { table, rows }] of commits.entries()) {
      const source = { app_id: `acts ${place}`, app_sequence: this.#step, operation: 'TEST' }
      await this.#world.warehouse.append(table, rows, { ...source, stamp: { kind: 'wall' } })
      if (table === 'market_quote') this.#quotes.push(...rows)
    }
  }
}
