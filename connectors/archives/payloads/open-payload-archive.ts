import type { QuarantineItem } from '../../../pipelines/venues/quarantine.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { type ArchiveFile, listArchiveFiles, uncompressedName, withoutSecondCopies } from '../archive-file.ts'
import { isNotData, OWN_FORM } from '../file-names.ts'
import { type BatchLimits, batchPayloads, type PayloadBatch } from './batch-payloads.ts'
import { neutralForm } from './forms/neutral.ts'
import { type FormOf, type IgnoredFile, inspectPayloadFiles } from './inspect-payload-files.ts'
import { mergePayloads } from './merge-payloads.ts'
import { type PayloadKind, venuesOfKind } from './payload-kinds.ts'
import { readPayloadFile } from './read-payload-file.ts'
import { recordedDocument, recordedLines } from './recorded-form.ts'

/** Returns the forms of an archive's files: our own by its name, a recording of the venue by what is in it. */
function formsOfKind(kind: PayloadKind): FormOf {
  const neutral = neutralForm(venuesOfKind(kind))
  const recorded = { lines: recordedLines(kind), document: recordedDocument(kind) }
  return ({ name }, shape) => (uncompressedName(name).endsWith(OWN_FORM) ? neutral : recorded[shape])
}

/** An archive of payloads whose files have been inspected. */
export type PayloadArchive = {
  /** Names of the files to read, sorted. */
  readonly files: readonly string[]
  /** Form of each file to read, in words. */
  readonly forms: ReadonlyMap<string, string>
  /** Files of unknown form. */
  readonly quarantine: readonly QuarantineItem[]
  /** Files without data in them. */
  readonly ignored: readonly IgnoredFile[]
  /** Size of the files on disk. */
  readonly bytes: number
  /** Reads the payloads in the order of receipt. `on_read` is called with the bytes of the files finished so far. */
  batches(limits?: BatchLimits, on_read?: (bytes: number) => void): AsyncGenerator<PayloadBatch>
}

/**
 * Opens a folder of recorded payloads of one kind. Its files are read once here, so that a broken one ends the import before
 * anything is stored, and again when the batches are read.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE: not a folder, or no file with payloads in it; VALIDATION_ARCHIVE_INVALID
 */
export async function openPayloadArchive(kind: PayloadKind, dir: string, now: Micros): Promise<PayloadArchive> {
  const found = sortOut(listArchiveFiles(dir))
  const { files, quarantine, ignored } = await inspectPayloadFiles(found.data, formsOfKind(kind), now)
  if (files.length + quarantine.length + ignored.length + found.ignored.length === 0) {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `${dir} has no file; allowed: one file or a folder of answers and messages of ${kind} as recorded, in the forms of docs/archives.md`,
      { field: 'dir', value: dir },
    )
  }
  return {
    files: files.map(({ file }) => file.name).sort(),
    forms: new Map(files.map(({ file, form }) => [file.name, form.name])),
    quarantine,
    ignored: [...found.ignored, ...ignored],
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

/** Sorts out files that are not data, a folder of them as one, and second copies. */
function sortOut(files: readonly ArchiveFile[]): {
  readonly data: readonly ArchiveFile[]
  readonly ignored: IgnoredFile[]
} {
  const data: ArchiveFile[] = []
  const ignored = new Map<string, IgnoredFile['rule']>()
  for (const file of files) {
    const parts = file.name.split('/')
    const at = parts.findIndex(isNotData)
    if (at >= 0) ignored.set(parts.slice(0, at + 1).join('/'), 'NOT_DATA')
    else data.push(file)
  }
  const kept = withoutSecondCopies(data)
  for (const { name } of kept.copies) ignored.set(name, 'SECOND_COPY')
  return { data: kept.files, ignored: [...ignored].map(([file, rule]) => ({ file, rule })) }
}
