import { ServiceError } from '../../primitives/errors.ts'

const FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/
const READ_ONLY = /EROFS|EACCES|EPERM|Read-only file system|Permission denied|Operation not permitted/

/**
 * Converts the error of a failed write: a full disk is WAREHOUSE_STORE_FULL, a read-only store WAREHOUSE_STORE_UNSUITABLE, and
 * other errors stay unchanged. DuckDB reports such failures as text, the file system by code.
 */
export function storeError(cause: unknown, root: string): unknown {
  if (cause instanceof ServiceError || !(cause instanceof Error)) return cause
  const seen = `${(cause as NodeJS.ErrnoException).code ?? ''} ${cause.message}`
  if (FULL.test(seen)) {
    return new ServiceError(
      'WAREHOUSE_STORE_FULL',
      `the disk of warehouse ${root} is full; nothing was written, free some space and try again`,
      { root },
      cause,
    )
  }
  if (READ_ONLY.test(seen)) {
    return new ServiceError(
      'WAREHOUSE_STORE_UNSUITABLE',
      `warehouse ${root} cannot be written; allowed: a folder that this user may write to`,
      { root },
      cause,
    )
  }
  return cause
}
