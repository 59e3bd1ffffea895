import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError } from '../../primitives/errors.ts'
import { type OpenOptions, openWarehouse, type Warehouse } from '../warehouse.ts'
import { type FollowPorts, followTable } from './follow-table.ts'
import { FOLLOWED_TABLES, type FollowedTableName } from './followed-tables.ts'
import type { IntakeEngine } from './intake-engine.ts'
import type { FeedCommit } from './reader.ts'
import type { TableMemory } from './table-memory.ts'

/** Dependencies and callbacks of following a warehouse. */
export type FollowWarehousePorts = Pick<FollowPorts, 'store' | 'verify' | 'signal' | 'rounds' | 'limits'> & {
  readonly open: OpenOptions
  readonly engine: IntakeEngine
  /** Awaited before any table is followed. */
  readonly onOpened: (warehouse: Warehouse) => Promise<void>
  readonly onLoaded: (table: FollowedTableName, memory: TableMemory) => void
  readonly onCommit: (table: FollowedTableName, commit: FeedCommit) => void
  /** Reports that the warehouse or a table can be followed (null), or why not. */
  readonly onHealth: (part: FollowedTableName | 'warehouse', failure: unknown) => void
}

const RETRY_MS = 500

/** Opens the warehouse once it exists and follows its tables until `signal` aborts. */
export async function followWarehouse(ports: FollowWarehousePorts): Promise<void> {
  const { open, signal, onOpened, onHealth } = ports
  let has_waited = false
  while (!signal.aborted) {
    try {
      const warehouse = await openWarehouse(open)
      // A warehouse that appears later was filled before anyone could subscribe: nobody can resume within those commits.
      const published_since_ms = has_waited ? Date.now() : 0
      await onOpened(warehouse)
      onHealth('warehouse', null)
      await Promise.all(FOLLOWED_TABLES.map((table) => followOne(warehouse, table, published_since_ms, ports)))
    } catch (error) {
      has_waited = isServiceError(error, 'WAREHOUSE_NOT_FOUND')
      onHealth('warehouse', error)
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function followOne(
  warehouse: Warehouse,
  table: FollowedTableName,
  published_since_ms: number,
  ports: FollowWarehousePorts,
): Promise<void> {
  const { engine, store, verify, signal, rounds, limits } = ports
  await followTable({
    log: warehouse.log(table),
    store,
    connection: await engine.connect(),
    verify,
    signal,
    rounds,
    limits,
    published_since_ms,
    onLoaded: (memory) => ports.onLoaded(table, memory),
    onCommit: (commit) => ports.onCommit(table, commit),
    onHealth: (failure) => ports.onHealth(table, failure),
  })
}
