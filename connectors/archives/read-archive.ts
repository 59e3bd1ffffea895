import type { ArchiveContent } from '../../pipelines/venues/record.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { readForecastbench } from './forecastbench.ts'
import { PAYLOAD_KINDS, type PayloadKind } from './payloads/payload-kinds.ts'
import { readQuotesArchive } from './quotes.ts'

type ArchiveReader = (dir: string, now: Micros) => Promise<ArchiveContent>

const READERS = { forecastbench: readForecastbench, quotes: readQuotesArchive } as const satisfies Record<
  string,
  ArchiveReader
>

type RecordKind = keyof typeof READERS
export type ArchiveKind = RecordKind | PayloadKind
export const ARCHIVE_KINDS: readonly ArchiveKind[] = [...(Object.keys(READERS) as RecordKind[]), ...PAYLOAD_KINDS]

/**
 * Reads and parses a whole archive of tables of records; nothing is stored.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID for another kind, VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID
 */
export function readArchive(kind: string, dir: string, now: Micros): Promise<ArchiveContent> {
  const reader = Object.hasOwn(READERS, kind) ? READERS[kind as RecordKind] : undefined
  if (reader !== undefined) return reader(dir, now)
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `archive is ${JSON.stringify(kind)}; allowed: ${ARCHIVE_KINDS.join(', ')}`,
    { field: 'archive', value: kind },
  )
}
