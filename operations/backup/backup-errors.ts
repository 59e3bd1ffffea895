import { ServiceError } from '../../primitives/errors.ts'

/** Builds the error of a backup whose file is not what was written. */
export function backupCorrupt(file: string, seen: string): ServiceError {
  const message = `${file} of the backup is damaged: ${seen}; allowed: the bytes that were backed up`
  return new ServiceError('BACKUP_CORRUPT', message, { file })
}

/** Builds the error of a backup that a later release wrote. @param seen what this release does not know */
export function backupNewer(seen: string): ServiceError {
  const message = `the backup has ${seen}, which this release of tidemark does not know; allowed: the release that wrote it, or a later one`
  return new ServiceError('BACKUP_UNSUPPORTED', message, { seen })
}
