import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import type { LogSource } from '../../../pipelines/transparency/verify-log.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { type LogWriterOptions, openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { LOG_KEY, signedBy } from '../../support/log/log-keys.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { wholeWarehouse } from '../../support/whole-warehouse.ts'

/** Signs as the log of the tests. */
export const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }

/** Copies of the whole warehouse, and paths of its own, for the tests of one file. */
export type LogCopies = {
  /** Returns a path that nothing is at. */
  newPath(name: string): string
  /** Runs work with a copy of the warehouse. */
  withCopy<T>(work: (warehouse: Warehouse, root: string) => Promise<T>, from?: string): Promise<T>
}

/** Makes the folder of a test file's copies, which is removed after its last test. */
export async function logCopies(): Promise<LogCopies> {
  const folder = tempFolder()
  const whole = await wholeWarehouse(folder)
  let copies = 0
  const newPath = (name: string) => {
    copies += 1
    return join(folder, `${name}-${copies}`)
  }
  return {
    newPath,
    withCopy: async (work, from = whole) => {
      const root = newPath('copy')
      copyFolder(from, root)
      const warehouse = await openWarehouse({ root, create: true, ports: { seal_every_ms: 0 } })
      try {
        return await work(warehouse, root)
      } finally {
        await warehouse.close()
      }
    },
  }
}

/** Copies a folder with the times of its files, by which a test finds the newest of them. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
}

/** Appends until nothing published is left. */
export async function appendAll(warehouse: Warehouse, more: Partial<LogWriterOptions> = {}): Promise<number> {
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer, ...more })
  try {
    for (;;) {
      const { size, more } = await writer.append()
      if (!more) return size
    }
  } finally {
    writer.close()
  }
}

/** Files of the log of a warehouse as its readers see them. */
export function sourceOf(root: string): LogSource {
  const reader = openLogReader(root)
  return { checkpoint: async () => (await reader.checkpoint())?.text ?? null, tile: (address) => reader.tile(address) }
}
