import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type ImportReport, importArchive } from '../../operations/import/import-archive.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { tempFolder } from './temp-folder.ts'

type Load = Omit<Parameters<typeof importArchive>[0], 'warehouse' | 'clock' | 'dir'> & {
  /** Default: the wall clock, and the folder of this test. */
  readonly clock?: 'wall' | 'recorded'
  readonly dir?: string
}

/** A folder for the files of an archive and an empty warehouse, both new for each test. */
export type ImportWorld = {
  readonly dir: string
  readonly warehouse: Warehouse
  /** Writes a file of the archive; a value that is not text or bytes as JSON. */
  put(name: string, content: unknown): void
  load(options: Load): Promise<ImportReport>
  ask(sql: string, as_of?: Instant | null): Promise<Row[]>
}

/** Makes the folder and the warehouse before each test of a file, and closes them after it. */
export function importWorld(): ImportWorld {
  const folder = tempFolder()
  let number = 0
  let dir = ''
  let warehouse: Warehouse
  beforeEach(async () => {
    number += 1
    dir = join(folder, `archive-${number}`)
    mkdirSync(dir)
    warehouse = await openWarehouse({ root: join(folder, `warehouse-${number}`), create: true })
  })
  afterEach(() => warehouse.close())
  return {
    get dir() {
      return dir
    },
    get warehouse() {
      return warehouse
    },
    put(name, content) {
      const is_raw = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(join(dir, name), is_raw ? content : JSON.stringify(content))
    },
    load: (options) => importArchive({ clock: 'wall', dir, ...options, warehouse }),
    async ask(sql, as_of = null) {
      const session = await openReadSession(warehouse, { as_of: as_of === null ? null : toMicros(as_of) })
      try {
        return await session.query(sql)
      } finally {
        await session.close()
      }
    },
  }
}
