import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { ServiceError } from '../../primitives/errors.ts'

const FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|database or disk is full/
const READ_ONLY = /EROFS|EACCES|EPERM|Read-only file system|Permission denied|Operation not permitted/

/**
 * Tells a full disk and a place that cannot be written from every other failure. DuckDB reports such failures as text, the file
 * system by code. A folder that cannot be created is unwritable, whatever the code.
 */
export function writeFault(error: unknown): 'full' | 'unwritable' | null {
  if (error instanceof ServiceError || !(error instanceof Error)) return null
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const seen = `${code} ${error.message}`
  if (FULL.test(seen)) return 'full'
  return READ_ONLY.test(seen) || (syscall === 'mkdir' && code !== '') ? 'unwritable' : null
}

/**
 * Converts the error of a failed write: a full disk is WAREHOUSE_STORE_FULL, a read-only store WAREHOUSE_STORE_UNSUITABLE, and
 * other errors stay unchanged.
 */
export function storeError(cause: unknown, root: string): unknown {
  const fault = writeFault(cause)
  if (fault === null) return cause
  return fault === 'full'
    ? diskFull('warehouse', root, cause)
    : new ServiceError(
        'WAREHOUSE_STORE_UNSUITABLE',
        `warehouse ${root} cannot be written${seenAt(cause as NodeJS.ErrnoException)}; allowed: a folder that this user may write to`,
        { root },
        cause,
      )
}

/** Place inside the warehouse that was refused, as a folder that another user left there. */
function seenAt({ code, path }: NodeJS.ErrnoException): string {
  return path === undefined ? '' : ` (${code} at ${path})`
}

/**
 * Converts the error of a write that nobody has named yet, as into the temporary folder or a log: a full disk is
 * WAREHOUSE_STORE_FULL, a read-only file system WAREHOUSE_STORE_UNSUITABLE, and other errors stay unchanged. The message names the path.
 */
export function writeError(error: unknown): unknown {
  const is_full = writeFault(error) === 'full'
  if (!is_full && !isReadOnly(error)) return error
  const path = pathOf(error as NodeJS.ErrnoException)
  return is_full
    ? new ServiceError(
        'WAREHOUSE_STORE_FULL',
        `the disk of ${path} is full; free some space and try again`,
        { path },
        error,
      )
    : new ServiceError(
        'WAREHOUSE_STORE_UNSUITABLE',
        `${path} is on a read-only file system; allowed: a place that this user may write to`,
        { path },
        error,
      )
}

function isReadOnly(error: unknown): boolean {
  if (error instanceof ServiceError || !(error instanceof Error)) return false
  return (error as NodeJS.ErrnoException).code === 'EROFS' || error.message.includes('Read-only file system')
}

/** Path of a failed write. A write into an open file states none, so the folders without space are named then. */
function pathOf({ path, message }: NodeJS.ErrnoException): string {
  const stated = path ?? /["'](\/[^"']+)["']/.exec(message)?.[1]
  if (stated !== undefined) return stated
  const full = [tmpdir(), process.cwd()].filter(isFull)
  return full.length > 0 ? full.join(' or ') : `the written file (${message})`
}

const SPACE_MIN = 1_048_576

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < SPACE_MIN
  } catch {
    return false
  }
}

/** Error of a write into a folder whose disk is full. @param name what the folder is: `warehouse`, `home`, `recording` or `cache` */
export function diskFull(
  name: 'warehouse' | 'home' | 'recording' | 'cache',
  root: string,
  cause: unknown,
): ServiceError {
  const message = `the disk of ${name} ${root} is full; free some space and try again`
  return new ServiceError('WAREHOUSE_STORE_FULL', message, { root }, cause)
}
