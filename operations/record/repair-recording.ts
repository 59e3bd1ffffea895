import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { type ArchiveFile, readArchiveFile } from '../../connectors/archives/archive-file.ts'
import { readLines } from '../../connectors/archives/lines.ts'
import { receiptOfLine } from '../../connectors/archives/payloads/forms/neutral.ts'
import { PAYLOAD_BYTES_MAX } from '../../connectors/archives/payloads/payload-item.ts'
import { parseRecord } from '../../pipelines/venues/quarantine.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { writeChecksums } from './checksums.ts'
import { fileNumber } from './recording-files.ts'
import type { RecordingJournal, SealedFile } from './recording-journal.ts'

/**
 * Seals the files that an earlier run left open because it was killed. The end of a file is cut off if it is torn: everything
 * before is whole. Returns the sealed files, oldest first.
 */
export async function repairRecording(dir: string, journal: RecordingJournal): Promise<SealedFile[]> {
  const names = readdirSync(dir).filter((name) => fileNumber(name) !== null)
  const known = new Map(journal.before.flatMap((line) => (line.event === 'sealed' ? [[line.file, line] as const] : [])))
  const sealed: SealedFile[] = []
  let is_changed = false
  for (const name of names.sort((a, b) => fileNumber(a)! - fileNumber(b)!)) {
    const before = known.get(name)
    const found = before === undefined ? await sealLeft({ dir, name }, journal) : sealedOf(before)
    is_changed ||= before === undefined
    if (found !== null) sealed.push(found)
  }
  if (is_changed) writeChecksums(dir, sealed)
  return sealed
}

function sealedOf({ file, payloads, bytes, sha256, first_received_at, last_received_at }: SealedFile): SealedFile {
  return { file, payloads, bytes, sha256, first_received_at, last_received_at }
}

type LeftFile = { readonly dir: string; readonly name: string }

/** Seals one file; null if nothing whole is in it: such a file is removed. */
async function sealLeft({ dir, name }: LeftFile, journal: RecordingJournal): Promise<SealedFile | null> {
  const path = join(dir, name)
  const content = readFileSync(path)
  const bytes = await wholeBytes(path, content)
  if (bytes < content.length) {
    truncateSync(path, bytes)
    journal.write({ event: 'repaired', file: name, bytes_removed: content.length - bytes })
  }
  const found = bytes === 0 ? null : await countPayloads({ path, name, bytes })
  if (found === null) {
    await unlink(path)
    return null
  }
  const sha256 = createHash('sha256').update(content.subarray(0, bytes)).digest('hex')
  const sealed = { file: name, payloads: found.payloads, bytes, sha256, ...found.span }
  journal.write({ event: 'sealed', ...sealed })
  return sealed
}

/** Header of the members that this process writes (RFC 1952 2.3). */
const MEMBER = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])

/** Returns the length of the whole members at the start of a file. */
async function wholeBytes(path: string, content: Buffer): Promise<number> {
  for (const end of possibleEnds(content)) if (await isWhole(path, end)) return end
  return 0
}

/** Lengths that the whole members may have, longest first: the rest is nothing, part of a header, or begins with one. */
function* possibleEnds(content: Buffer): Generator<number> {
  const shortest = Math.max(0, content.length - MEMBER.length)
  for (let end = content.length; end > shortest; end -= 1) yield end
  for (let end = content.lastIndexOf(MEMBER); end > 0; end = content.lastIndexOf(MEMBER, end - 1)) yield end
}

async function isWhole(path: string, end: number): Promise<boolean> {
  const unpacked = createReadStream(path, { end: end - 1 }).pipe(createGunzip())
  try {
    for await (const _chunk of unpacked);
    return true
  } catch {
    return false
  }
}

async function countPayloads(file: ArchiveFile) {
  let [payloads, first, last]: [number, Micros | null, Micros] = [0, null, 0]
  for await (const lines of readLines(readArchiveFile(file), PAYLOAD_BYTES_MAX)) {
    for (const line of lines) {
      const parsed = parseRecord(() => ('text' in line ? receiptOfLine(line.text) : null))
      const received_at = 'record' in parsed ? parsed.record : null
      if (received_at === null) continue
      payloads += 1
      first ??= received_at
      last = Math.max(last, received_at)
    }
  }
  if (first === null) return null
  return { payloads, span: { first_received_at: formatMicros(first), last_received_at: formatMicros(last) } }
}
