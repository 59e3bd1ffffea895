import { PAYLOAD_VENUES, type PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import type { QuarantineItem } from '../../../pipelines/venues/quarantine.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { type ArchiveFile, listArchiveFiles } from '../archive-file.ts'
import { type BatchLimits, batchPayloads, type PayloadBatch } from './batch-payloads.ts'
import { BETFAIR_CATALOGUE, BETFAIR_STREAM } from './forms/betfair.ts'
import { GDACS_RECORDING } from './forms/gdacs.ts'
import { KALSHI_RECORDING } from './forms/kalshi.ts'
import { MANIFOLD_RECORDING } from './forms/manifold.ts'
import { neutralForm } from './forms/neutral.ts'
import { PREDICTIT_RECORDING } from './forms/predictit.ts'
import { USGS_RECORDING } from './forms/usgs.ts'
import { inspectPayloadFiles } from './inspect-payload-files.ts'
import { mergePayloads } from './merge-payloads.ts'
import type { PayloadForm } from './payload-form.ts'
import type { PayloadKind } from './payload-kinds.ts'
import { readPayloadFile } from './read-payload-file.ts'

const RECORDINGS: Readonly<Record<PayloadVenue, readonly PayloadForm[]>> = {
  kalshi: [KALSHI_RECORDING],
  polymarket: [],
  manifold: [MANIFOLD_RECORDING],
  predictit: [PREDICTIT_RECORDING],
  betfair: [BETFAIR_STREAM, BETFAIR_CATALOGUE],
  gdacs: [GDACS_RECORDING],
  usgs: [USGS_RECORDING],
}

/** Returns the forms that the files of an archive may have: always our own, and the venue's recordings. */
function payloadForms(kind: PayloadKind): readonly PayloadForm[] {
  return kind === 'payloads' ? [neutralForm(PAYLOAD_VENUES)] : [neutralForm([kind]), ...RECORDINGS[kind]]
}

/** An archive of payloads whose files have been inspected. */
export type PayloadArchive = {
  /** Names of the files to read, sorted. */
  readonly files: readonly string[]
  /** Files of unknown form. */
  readonly quarantine: readonly QuarantineItem[]
  /** Size of the files on disk. */
  readonly bytes: number
  /** Reads the payloads in the order of receipt. `on_read` is called with the bytes of the files finished so far. */
  batches(limits?: BatchLimits, on_read?: (bytes: number) => void): AsyncGenerator<PayloadBatch>
}

/** Files beside the data that are not data. */
const NOT_DATA = /^(\.|LICEN[CS]E|README|NOTICE|COPYING|CHANGELOG|SHA256SUMS|truth\.json$)/i

/**
 * Opens a folder of recorded payloads of one kind. Its files are read once here, so that a broken one ends the import before
 * anything is stored, and again when the batches are read.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE: not a folder, or no file with payloads in it; VALIDATION_ARCHIVE_INVALID
 */
export async function openPayloadArchive(kind: PayloadKind, dir: string, now: Micros): Promise<PayloadArchive> {
  const found = dataFiles(listArchiveFiles(dir))
  const { files, quarantine } = await inspectPayloadFiles(found, payloadForms(kind), now)
  if (files.length === 0) {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `${dir} has no file in a form of ${kind}; allowed: files as described in docs/archives.md`,
      { field: 'dir', value: dir },
    )
  }
  return {
    files: files.map(({ file }) => file.name).sort(),
    quarantine,
    bytes: files.reduce((sum, { file }) => sum + file.bytes, 0),
    batches: (limits, on_read) => {
      const sources = files.map((source) => ({
        first_received_at: source.first_received_at,
        read: async function* read() {
          yield* readPayloadFile(source, now)
          on_read?.(source.file.bytes)
        },
      }))
      return batchPayloads(mergePayloads(sources), limits)
    },
  }
}

/** Selects the data files; the compressed one if a file exists in both forms. */
function dataFiles(files: readonly ArchiveFile[]): ArchiveFile[] {
  const names = new Set(files.map(({ name }) => name))
  return files.filter(({ name }) => !names.has(`${name}.gz`) && !name.split('/').some((part) => NOT_DATA.test(part)))
}
