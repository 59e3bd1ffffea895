import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, ftruncateSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { OWN_FORM } from '../../connectors/archives/file-names.ts'
import { neutralLine, unreadableLine } from '../../connectors/archives/payloads/forms/neutral.ts'
import type { UnreadablePayload } from '../../connectors/archives/payloads/payload-item.ts'
import type { VenuePayload } from '../../pipelines/venues/record.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { diskFull, writeFault } from '../../warehouse/store/store-error.ts'
import { writeChecksums } from './checksums.ts'
import type { RecordingJournal, SealedFile } from './recording-journal.ts'

/** Sizes of a recording, in bytes on disk. */
export type RecordingLimits = {
  /** Size and time span after which a new file begins. */
  readonly file_bytes_max: number
  readonly file_span_max: Micros
  /** Size of all files together; null = no limit. */
  readonly total_bytes_max: number | null
  /** At that size: end with an error, or remove the oldest file. */
  readonly when_full: 'stop' | 'drop-oldest'
  /** Free space that is left on the disk. */
  readonly free_bytes_min: number
}

type OpenFile = {
  readonly name: string
  readonly hash: Hash
  /** null until the first member is written: an empty file is not a valid one. */
  descriptor: number | null
  bytes: number
  payloads: number
  first: Micros
  /** Latest receipt in it. */
  last: Micros
}

/** Characters of lines that are kept in memory before they are written, beside the regular flush. */
const PENDING_MAX = 1024 * 1024

/** Least number of files in a recording of the largest size. */
const FILES_MIN = 4

/**
 * Files of a recording in our own form. Each flush appends a complete gzip member that ends with a line, so a file can be read at
 * any time, also after a kill. A new file begins only where receipts do not go back: merging the files gives the order of arrival.
 */
export class RecordingFiles {
  readonly #dir: string
  readonly #venue_id: string
  readonly #journal: RecordingJournal
  readonly #limits: RecordingLimits
  readonly #sealed: SealedFile[]
  #number: number
  #open: OpenFile | null = null
  #pending: string[] = []
  #pending_length = 0

  /** @param sealed files of earlier runs, oldest first */
  constructor(
    { dir, venue_id, journal }: { dir: string; venue_id: string; journal: RecordingJournal },
    limits: RecordingLimits,
    sealed: readonly SealedFile[],
  ) {
    this.#dir = dir
    this.#venue_id = venue_id
    this.#journal = journal
    this.#limits = limits
    this.#sealed = [...sealed]
    this.#number = Math.max(0, ...sealed.map(({ file }) => fileNumber(file) ?? 0))
  }

  /** Sealed files, oldest first. */
  get sealed(): readonly SealedFile[] {
    return this.#sealed
  }

  /** @throws {ServiceError} as flush */
  add(payload: VenuePayload | UnreadablePayload): void {
    if (this.#isFull(payload.received_at)) this.seal()
    this.#open ??= this.#begin(payload.received_at)
    this.#open.payloads += 1
    this.#open.last = Math.max(this.#open.last, payload.received_at)
    const line = `${'text' in payload ? neutralLine(payload) : unreadableLine(payload)}\n`
    this.#pending.push(line)
    this.#pending_length += line.length
    if (this.#pending_length >= PENDING_MAX) this.flush()
  }

  /**
   * Writes what is in memory. @throws {ServiceError} WAREHOUSE_STORE_FULL: the disk, or the size that the recording may have
   */
  flush(): void {
    if (this.#open === null || this.#pending.length === 0) return
    const member = gzipSync(this.#pending.join(''))
    this.#makeRoom(member.length)
    this.#open.descriptor ??= openSync(join(this.#dir, this.#open.name), 'wx')
    append(this.#open.descriptor, this.#open, member, this.#dir)
    this.#pending = []
    this.#pending_length = 0
  }

  /** Completes the open file; the next payload begins another. */
  seal(): void {
    this.flush()
    const file = this.#open
    if (file === null || file.descriptor === null) return
    this.#open = null
    fsyncSync(file.descriptor)
    closeSync(file.descriptor)
    const sealed = {
      file: file.name,
      payloads: file.payloads,
      bytes: file.bytes,
      sha256: file.hash.digest('hex'),
      first_received_at: formatMicros(file.first),
      last_received_at: formatMicros(file.last),
    }
    this.#sealed.push(sealed)
    writeChecksums(this.#dir, this.#sealed)
    this.#journal.write({ event: 'sealed', ...sealed })
  }

  /** Closes the open file as it is, after a write that failed; the next run repairs and seals it. */
  abandon(): void {
    const { descriptor, bytes, name } = this.#open ?? { descriptor: null, bytes: 0, name: '' }
    if (descriptor !== null) closeSync(descriptor)
    if (descriptor !== null && bytes === 0) unlinkSync(join(this.#dir, name))
    this.#open = null
    this.#pending = []
  }

  #isFull(received_at: Micros): boolean {
    const { file_bytes_max, file_span_max, total_bytes_max } = this.#limits
    const file = this.#open
    if (file === null || received_at < file.last) return false
    // Only complete files can be removed, so a limit of all files needs several.
    const bytes_max = Math.min(file_bytes_max, (total_bytes_max ?? Number.POSITIVE_INFINITY) / FILES_MIN)
    return file.bytes >= bytes_max || received_at - file.first >= file_span_max
  }

  #begin(first: Micros): OpenFile {
    this.#number += 1
    const name = fileName(this.#venue_id, this.#number, first)
    return { name, hash: createHash('sha256'), descriptor: null, bytes: 0, payloads: 0, first, last: first }
  }

  #makeRoom(bytes: number): void {
    const { total_bytes_max, when_full, free_bytes_min } = this.#limits
    const { bavail, bsize } = statfsSync(this.#dir)
    if (bavail * bsize - bytes < free_bytes_min) throw diskFull('recording', this.#dir, undefined)
    if (total_bytes_max === null) return
    while (this.#total() + bytes > total_bytes_max) {
      const [oldest] = this.#sealed
      if (when_full === 'stop' || oldest === undefined) throw tooLarge(this.#dir, total_bytes_max)
      this.#sealed.shift()
      writeChecksums(this.#dir, this.#sealed)
      unlinkSync(join(this.#dir, oldest.file))
      this.#journal.write({ event: 'dropped', file: oldest.file })
    }
  }

  #total(): number {
    return this.#sealed.reduce((sum, { bytes }) => sum + bytes, this.#open?.bytes ?? 0)
  }
}

/** Returns the name of a file: names sort in the order in which the files began. */
function fileName(venue_id: string, number: number, first: Micros): string {
  const instant = formatMicros(first).replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  return `${venue_id}-${String(number).padStart(6, '0')}-${instant}${OWN_FORM}.gz`
}

/** Returns the number in a name that `fileName` made; null for any other. */
export function fileNumber(name: string): number | null {
  const found = /^[a-z]+-(\d{6,})-\d{8}T\d{6}Z\.payloads\.jsonl\.gz$/.exec(name)
  return found === null ? null : Number(found[1])
}

/** Appends a whole member, or leaves the file as it was. */
function append(descriptor: number, file: OpenFile, member: Buffer, dir: string): void {
  try {
    for (let written = 0; written < member.length; ) {
      written += writeSync(descriptor, member, written, member.length - written, file.bytes + written)
    }
  } catch (error) {
    ftruncateSync(descriptor, file.bytes)
    throw writeFault(error) === 'full' ? diskFull('recording', dir, error) : error
  }
  file.bytes += member.length
  file.hash.update(member)
}

function tooLarge(dir: string, bytes_max: number): ServiceError {
  return new ServiceError(
    'WAREHOUSE_STORE_FULL',
    `recording ${dir} would hold more than ${bytes_max} bytes; allowed: a larger --size-max, or --when-full drop-oldest`,
    { field: 'size-max', value: String(bytes_max) },
  )
}
