import { isServiceError } from '../../primitives/errors.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { appliedMigrations, pendingMigrations } from '../../trading/store/migrate.ts'
import { TABLE_NAMES } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { freeBytes } from './home-files.ts'

/** Change that the first start of this release makes to a home. */
type UpgradeChange = {
  readonly part: 'warehouse' | 'trading'
  readonly change: 'create_table' | 'add_columns' | 'migration'
  /** Table, or file of the migration. */
  readonly name: string
  /** Columns that are added; none for other changes. */
  readonly columns: readonly string[]
}

export type UpgradeReport = {
  /** false: this release refuses the home as it is. */
  readonly ok: boolean
  readonly changes: readonly UpgradeChange[]
  /** Whether the release that wrote the home can open it after the changes; if not, the way back is a backup. */
  readonly reversible: boolean
  /** Upper bound of the space that the changes take for a while; 0: they take none worth naming. */
  readonly space_needed_bytes: number
  readonly space_free_bytes: number
  readonly refusals: readonly { readonly code: string; readonly message: string }[]
}

/** A migration may write each table anew, and the write-ahead log has the rows once more. */
const COPIES_OF_MIGRATION = 2

/** Says what the first start of this release would do to a home, and does nothing of it. */
export async function checkUpgrade(options: {
  readonly home: string
  readonly warehouse: Warehouse
  /** Trading database; null: the home has none. */
  readonly pool: Pool | null
}): Promise<UpgradeReport> {
  const { home, warehouse, pool } = options
  const refusals: UpgradeReport['refusals'][number][] = []
  const refused = (error: unknown) => {
    if (!isServiceError(error)) throw error
    refusals.push({ code: error.code, message: error.message })
  }
  const changes: UpgradeChange[] = []
  for (const table of TABLE_NAMES) {
    const pending = await warehouse.log(table).pending().catch(refused)
    if (pending === undefined) continue
    const { creates, adds_columns } = pending
    if (creates) changes.push({ part: 'warehouse', change: 'create_table', name: table, columns: [] })
    if (adds_columns.length > 0)
      changes.push({ part: 'warehouse', change: 'add_columns', name: table, columns: adds_columns })
  }
  const trading = pool === null ? NO_MIGRATIONS : await migrationsOf(pool).catch(refused)
  const names = trading?.names ?? []
  for (const name of names) changes.push({ part: 'trading', change: 'migration', name, columns: [] })
  const space_needed_bytes = names.length === 0 ? 0 : COPIES_OF_MIGRATION * trading!.database_bytes
  const space_free_bytes = await freeBytes(home)
  return {
    ok: refusals.length === 0 && space_needed_bytes <= space_free_bytes,
    changes,
    reversible: changes.every(({ change }) => change === 'create_table'),
    space_needed_bytes,
    space_free_bytes,
    refusals,
  }
}

const NO_MIGRATIONS = { names: [] as readonly string[], database_bytes: 0 }

async function migrationsOf(pool: Pool): Promise<typeof NO_MIGRATIONS> {
  const applied = await appliedMigrations(pool)
  const { rows } = await pool.query<{ bytes: string }>('SELECT pg_database_size(current_database())::text AS bytes')
  return { names: pendingMigrations(applied), database_bytes: Number(rows[0]!.bytes) }
}
