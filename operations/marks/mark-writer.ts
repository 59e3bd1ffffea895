import { randomUUID } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { COMMIT_ROWS_MAX, type StampedRow, writeStamped } from '../index/write-stamped.ts'
import { publishOnce } from '../live/publish-once.ts'
import type { PlannedTick } from './mark-comparison.ts'
import { markRows, planMethodology } from './publish-marks.ts'

const OPERATION = 'PUBLISH_MARKS'

/** Opens a writer of marks. Whoever reads which marks are published does so after: what others publish since is left out. */
export async function openMarkWriter(warehouse: Warehouse, clock: ImportClock): Promise<MarkWriter> {
  const [methodology, marks] = await Promise.all([
    warehouse.log('methodology').snapshot(),
    warehouse.log('market_mark').snapshot(),
  ])
  const [methodology_sealed_through, sealed_through] = await Promise.all([
    warehouse.log('methodology').closedThrough(),
    warehouse.log('market_mark').closedThrough(),
  ])
  const heads = [methodology, marks].flatMap(({ table, head_stamp }) =>
    head_stamp === null ? [] : [[table, head_stamp] as const],
  )
  return new MarkWriter(warehouse, clock, {
    known_through: new Map<TableName, Micros>(heads),
    methodology_sealed_through,
    sealed_through,
  })
}

type Known = {
  readonly known_through: Map<TableName, Micros>
  readonly methodology_sealed_through: Micros | null
  readonly sealed_through: Micros | null
}

/** Publishes planned marks, and their methodology before the first of them. */
class MarkWriter {
  readonly #warehouse: Warehouse
  readonly #clock: ImportClock
  readonly #known: Known
  readonly #app_id = `${OPERATION}/${randomUUID()}`
  #app_sequence = 0
  #has_methodology = false
  #marks_published = 0
  #commits = 0

  constructor(warehouse: Warehouse, clock: ImportClock, known: Known) {
    this.#warehouse = warehouse
    this.#clock = clock
    this.#known = known
  }

  /** Instant through which marks are published or sealed; null: none. */
  get sealed_through(): Micros | null {
    return this.#known.sealed_through
  }

  written(): { readonly marks_published: number; readonly commits: number } {
    return { marks_published: this.#marks_published, commits: this.#commits }
  }

  /** Publishes marks of ticks after those before. */
  async write(session: ReadSession, ticks: readonly PlannedTick[]): Promise<void> {
    const now = await this.#warehouse.now()
    const marks = ticks.flatMap((tick) => markRows(tick, this.#clock, now))
    if (marks.length === 0) return
    const rows = [...(await this.#methodology(session, marks)), ...marks]
    if (this.#clock === 'recorded') {
      this.#commits += await writeStamped(this.#warehouse, rows, { operation: OPERATION })
      this.#marks_published += marks.length
      return
    }
    for (let from = 0; from < rows.length; from += COMMIT_ROWS_MAX)
      await this.#publish(rows.slice(from, from + COMMIT_ROWS_MAX))
  }

  async #publish(rows: readonly StampedRow[]): Promise<void> {
    const { known_through } = this.#known
    this.#app_sequence += 1
    const options = { operation: OPERATION, app_id: this.#app_id, app_sequence: this.#app_sequence, known_through }
    const { commits, written, published_at } = await publishOnce(this.#warehouse, rows, options)
    this.#commits += commits
    this.#marks_published += written.get('market_mark') ?? 0
    for (const [table, at] of published_at) known_through.set(table, at)
  }

  /**
   * Under the recorded clock the methodology is there before every archive: a stamp among the archive's would refuse definitions that
   * are published with it, as of an earlier instant.
   */
  async #methodology(session: ReadSession, marks: readonly StampedRow[]): Promise<readonly StampedRow[]> {
    if (this.#has_methodology) return []
    this.#has_methodology = true
    const rows = await planMethodology(session, marks)
    if (this.#clock === 'wall') return rows
    const at = (this.#known.methodology_sealed_through ?? -1) + 1
    return rows.map((row) => ({ ...row, stamp: { kind: 'recorded', at } }))
  }
}
