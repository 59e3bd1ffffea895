import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { type Micros, utcDay } from '../../primitives/instants.ts'
import type { VenueId } from '../world/options.ts'
import { createPayloadLines, type RecordedPayload } from './payload.ts'

/** One written file. */
type DayFile = { readonly name: string; payloads: number; bytes: number }

const BLOCK_CHARS = 256 * 1024
/** Fastest level: the texts repeat so much that a higher one gains little. */
const GZIP_LEVEL = 1

type OpenFile = {
  readonly file: DayFile
  readonly gzip: Gzip
  readonly written: Promise<void>
  lines: string[]
  chars: number
}

/** `2026-01-01.kalshi.payloads.jsonl.gz` */
export function dayFileName(venue_id: VenueId, at: Micros): string {
  return `${utcDay(at)}.${venue_id}.payloads.jsonl.gz`
}

/**
 * Writes payloads, in the order of `received_at`, to one gzip file per UTC day. Node writes gzip headers without a time, so
 * equal payloads give equal bytes.
 */
export function createDayFiles(dir: string, venue_id: VenueId) {
  const files: DayFile[] = []
  const payloadLine = createPayloadLines()
  let open: OpenFile | null = null
  let day_end = Number.NEGATIVE_INFINITY
  const closeFile = async () => {
    if (open === null) return
    flush(open)
    open.gzip.end()
    await open.written
    open = null
  }
  const turn = async (at: Micros): Promise<OpenFile> => {
    await closeFile()
    open = openFile(dir, dayFileName(venue_id, at))
    files.push(open.file)
    day_end = endOfDay(at)
    return open
  }
  return {
    files: files as readonly Readonly<DayFile>[],
    /** Takes one payload; a returned promise must be awaited before the next one. */
    add(payload: RecordedPayload): Promise<void> | null {
      if (open !== null && payload.received_at < day_end) return take(open, payloadLine(payload))
      return turn(payload.received_at).then((file) => take(file, payloadLine(payload)) ?? undefined)
    },
    /** Completes the last file. */
    close: closeFile,
    /** Ends without completing: removes every file it began. */
    async discard(): Promise<void> {
      open?.gzip.destroy()
      await open?.written.catch(() => undefined)
      await Promise.all(files.map(({ name }) => rm(join(dir, name), { force: true })))
    },
  }
}

function openFile(dir: string, name: string): OpenFile {
  const gzip = createGzip({ level: GZIP_LEVEL })
  const sink = createWriteStream(join(dir, name), { flags: 'wx' })
  const file: DayFile = { name, payloads: 0, bytes: 0 }
  gzip.on('data', (chunk: Buffer) => {
    file.bytes += chunk.length
  })
  const written = pipeline(gzip, sink)
  // A failure is thrown where `written` is awaited; without this it would also count as unhandled.
  written.catch(() => undefined)
  return { file, gzip, written, lines: [], chars: 0 }
}

function take(open: OpenFile, line: string): Promise<void> | null {
  open.lines.push(line)
  open.chars += line.length
  open.file.payloads += 1
  if (open.chars < BLOCK_CHARS) return null
  return flush(open) ? null : Promise.race([drained(open.gzip), open.written])
}

function flush(open: OpenFile): boolean {
  const text = open.lines.join('')
  open.lines = []
  open.chars = 0
  return text === '' || open.gzip.write(text)
}

function drained(gzip: Gzip): Promise<void> {
  return new Promise((resolve) => {
    gzip.once('drain', resolve)
  })
}

function endOfDay(at: Micros): Micros {
  const day = 86_400_000_000
  return at - (at % day) + day
}
