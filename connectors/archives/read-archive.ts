import type { ArchiveContent } from '../../pipelines/venues/record.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { readForecastbench } from './forecastbench.ts'
import { readQuotesArchive } from './quotes.ts'

type ArchiveReader = (dir: string, now: Micros) => Promise<ArchiveContent>

const READERS = { forecastbench: readForecastbench, quotes: readQuotesArchive } as const satisfies Record<
  string,
  ArchiveReader
>

export type ArchiveKind = keyof typeof READERS
export const ARCHIVE_KINDS = Object.keys(READERS) as ArchiveKind[]

/**
 * Reads and parses a whole archive; nothing is stored.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID for another kind, VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID
 */
export function readArchive(kind: string, dir: string, now: Micros): Promise<ArchiveContent> {
  const reader = Object.hasOwn(READERS, kind) ? READERS[kind as ArchiveKind] : undefined
  if (reader !== undefined) return reader(dir, now)
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `archive is ${JSON.stringify(kind)}; allowed: ${ARCHIVE_KINDS.join(', ')}`,
    { field: 'archive', value: kind },
  )
}
