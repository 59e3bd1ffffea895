import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { ServiceError } from '../primitives/errors.ts'
import { makeFolder } from '../warehouse/store/make-folder.ts'
import { diskFull, writeFault } from '../warehouse/store/store-error.ts'
import { UNFINISHED_RESTORE } from '../warehouse/unfinished-restore.ts'

/**
 * Creates the folder of a home if it is missing, and does the first work in it. Any failure means that the home cannot be used.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the home cannot be written; WAREHOUSE_STORE_FULL: its disk is full
 */
export async function openHome<T>(home: string, first: () => Promise<T>): Promise<T> {
  try {
    await makeFolder(resolve(home))
    return await first()
  } catch (error) {
    throw writeFault(error) === 'full' ? diskFull('home', home, error) : unusable(home, error)
  }
}

/** Converts a failed write of later work: a full disk, or a place inside the home that cannot be written. Others stay unchanged. */
export function homeError(error: unknown, home: string): unknown {
  const fault = writeFault(error)
  if (fault === 'full') return diskFull('home', home, error)
  return fault === 'unwritable' && (error as Error).message.includes(resolve(home)) ? unusable(home, error) : error
}

/**
 * Refuses a home that has a part of a backup alone: a service would make new keys there and continue half a history.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names what to delete
 */
export function refuseUnfinished(home: string): void {
  const mark = join(home, UNFINISHED_RESTORE)
  if (!existsSync(mark)) return
  const apart = warehouseApart(home, mark)
  const places = apart === null ? 'the folder' : `the folder and everything in ${apart}`
  const message = `home is ${home}, where a restore has not ended; allowed: wait for its end, or delete ${places} and restore again`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { home })
}

/** Returns the place of the warehouse that the mark of a restore names; null: it is inside the home, or the mark was cut off. */
function warehouseApart(home: string, mark: string): string | null {
  try {
    const { warehouse } = JSON.parse(readFileSync(mark, 'utf8')) as { warehouse?: unknown }
    return typeof warehouse !== 'string' || warehouse.startsWith(resolve(home) + sep) ? null : warehouse
  } catch {
    return null
  }
}

function unusable(home: string, cause: unknown): ServiceError {
  const { code, message } = cause as NodeJS.ErrnoException
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `home is ${home}, which cannot be used (${code ?? message}); allowed: a folder that can be written`,
    { home },
    cause,
  )
}
