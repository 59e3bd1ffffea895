import { ServiceError } from '../../primitives/errors.ts'

const FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/
const READ_ONLY = /EROFS|EACCES|EPERM|Read-only file system|Permission denied|Operation not permitted/

/**
 * The error a caller sees for a failed write: a full disk is WAREHOUSE_STORE_FULL, a store that may not be written
 * WAREHOUSE_STORE_UNSUITABLE, anything else stays as it was. DuckDB reports such failures as text, the file system by code.
 */
export function storeError(cause: unknown, root: string): unknown {
  if (cause instanceof ServiceError || !(cause instanceof Error)) return cause
  const seen = `${(cause as NodeJS.ErrnoException).code ?? ''} ${cause.message}`
  if (FULL.test(seen)) {
    return new ServiceError(
      'WAREHOUSE_STORE_FULL',
      `the disk of warehouse ${root} is full; nothing of this write was kept, it can be repeated when there is room`,
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
