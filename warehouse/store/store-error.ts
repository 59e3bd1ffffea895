import { ServiceError } from '../../primitives/errors.ts'

const FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/
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
        `warehouse ${root} cannot be written; allowed: a folder that this user may write to`,
        { root },
        cause,
      )
}

/** Error of a write into a folder whose disk is full. @param name what the folder is: `warehouse`, `home` or `recording` */
export function diskFull(name: 'warehouse' | 'home' | 'recording', root: string, cause: unknown): ServiceError {
  const message = `the disk of ${name} ${root} is full; free some space and try again`
  return new ServiceError('WAREHOUSE_STORE_FULL', message, { root }, cause)
}
