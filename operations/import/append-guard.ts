import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { chainOf, publishedChains } from '../../warehouse/read/published-chains.ts'
import type { Row, RowList } from '../../warehouse/schema.ts'
import { type TableName, tableSchema } from '../../warehouse/tables.ts'
import type { AppendOptions, AppendResult, LiveFile, Warehouse } from '../../warehouse/warehouse.ts'

/** Another writer has published rows of the same chains since these rows were planned: plan them again. */
export class PlanOvertaken extends Error {
  override readonly name = 'PlanOvertaken'
  readonly table: TableName

  constructor(table: TableName) {
    super(`${table} has other rows of the same chains than when these were planned`)
    this.table = table
  }
}

/**
 * Appends rows only if the state they were planned from is still current. Several imports may write at once, in other processes too,
 * and the same import may run twice at once: each row is stored once.
 */
export type AppendGuard = {
  /** @throws {PlanOvertaken} nothing was written; {ServiceError} as Warehouse.append */
  append(table: TableName, rows: RowList, options: AppendOptions): Promise<AppendResult>
}

/** Opens a guard for the tables' current state; open it before that state is read. */
export async function openAppendGuard(warehouse: Warehouse, tables: readonly TableName[]): Promise<AppendGuard> {
  const known = new Map<TableName, Micros>()
  for (const table of tables) known.set(table, (await warehouse.log(table).snapshot()).head_stamp ?? 0)
  const knowsUntil = (table: TableName, at: Micros) => known.set(table, Math.max(at, known.get(table) ?? 0))
  return {
    async append(table, rows, options) {
      for (;;) {
        const through = known.get(table) ?? 0
        const done = await warehouse.append(table, rows, { ...options, unless_published_after: through })
        if (!done.overtaken) {
          knowsUntil(table, toMicros(done.published_at))
          return done
        }
        // A commit of the same plan that was in flight.
        if ((known.get(table) ?? 0) > through) continue
        const snapshot = await warehouse.log(table).snapshot()
        const planned = rows.slice(0, rows.length)
        const files = snapshot.files.filter((file) => file.stamp_max > through && mayConcern(file, planned))
        const chains = await publishedChains(warehouse, { ...snapshot, files }, through)
        if (planned.some((row) => chains.has(chainOf(table, withTexts(table, row))))) throw new PlanOvertaken(table)
        knowsUntil(table, snapshot.head_stamp ?? through)
      }
    },
  }
}

/** False if a file holds no row of these rows' venues, by the statistics of the table log. */
function mayConcern({ stats }: LiveFile, rows: readonly Row[]): boolean {
  type Values = Readonly<Record<string, unknown>>
  const { minValues, maxValues } = JSON.parse(stats) as { minValues?: Values; maxValues?: Values }
  const [least, greatest] = [minValues?.venue_id, maxValues?.venue_id]
  if (typeof least !== 'string' || typeof greatest !== 'string') return true
  return rows.some(({ venue_id }) => typeof venue_id !== 'string' || (least <= venue_id && venue_id <= greatest))
}

/** The chain columns with instants as texts, as rows read from the warehouse have them. */
function withTexts(table: TableName, row: Row): Row {
  const { chain, columns } = tableSchema(table)
  const texts = chain.map((name) => {
    const value = row[name]
    return [name, columns[name] === 'TIMESTAMPTZ' ? instantText(value) : value]
  })
  return Object.fromEntries(texts) as Row
}

function instantText(value: Row[string]) {
  if (typeof value === 'number') return formatMicros(value)
  return typeof value === 'string' ? formatMicros(toMicros(value)) : value
}
