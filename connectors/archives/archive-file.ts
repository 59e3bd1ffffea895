import { closeSync, createReadStream, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '../../primitives/errors.ts'
import { Bzip2Error, bunzip2 } from './bunzip2.ts'

/** One file of an archive: compressed if its name has an ending of COMPRESSIONS or it begins like such a file, else plain text. */
export type ArchiveFile = { readonly path: string; readonly name: string; readonly bytes: number }

const CHUNK_BYTES = 256 * 1024

type Compression = {
  readonly ending: string
  readonly form: string
  /** First bytes of such a file, as hexadecimal digits (RFC 1952 2.3.1; `BZh` and the size of blocks). */
  readonly head: RegExp
  readonly unpack: (source: Readable) => AsyncIterable<Buffer>
}

/** Every compression that is read as it is, the preferred one first. */
export const COMPRESSIONS: readonly Compression[] = [
  { ending: '.gz', form: 'gzip', head: /^1f8b08/, unpack: gunzip },
  { ending: '.bz2', form: 'bzip2', head: /^425a683[1-9]/, unpack: bunzip2 },
]

/** Returns the names under which a file may lie in a folder, the preferred one first. */
function namesOfFile(name: string): readonly string[] {
  return [...COMPRESSIONS.map(({ ending }) => name + ending), name]
}

/** Returns a file's name without the ending of its compression. */
export function uncompressedName(name: string): string {
  const ending = compressionOfName(name)?.ending ?? ''
  return name.slice(0, name.length - ending.length)
}

/** Sets aside every file that is also there under a preferred name. */
export function withoutSecondCopies(files: readonly ArchiveFile[]): {
  readonly files: readonly ArchiveFile[]
  readonly copies: readonly ArchiveFile[]
} {
  const names = new Set(files.map(({ name }) => name))
  const isCopy = ({ name }: ArchiveFile) =>
    namesOfFile(uncompressedName(name)).find((candidate) => names.has(candidate)) !== name
  return { files: files.filter((file) => !isCopy(file)), copies: files.filter(isCopy) }
}

/**
 * Returns the file of an archive's folder with this name, compressed or not.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if there is no such file that can be read
 */
export function findArchiveFile(dir: string, name: string): ArchiveFile {
  const file = findOptionalArchiveFile(dir, name)
  if (file !== null) return file
  const stats = statOf(dir)
  if (stats?.isDirectory())
    throw unreadable(dir, `has no ${name}`, `one of ${namesOfFile(name).join(', ')} in it; ${EXPLAIN}`)
  throw unreadable(dir, stats === null ? 'does not exist' : 'is a file', `a folder with ${name} in it; ${EXPLAIN}`)
}

const EXPLAIN =
  'a table of other columns is imported with `quotes --mapping FILE`, and `tidemark import --explain PATH` says what files are'

/** Returns the file with this name, compressed or not; null if none exists. */
export function findOptionalArchiveFile(dir: string, name: string): ArchiveFile | null {
  for (const candidate of namesOfFile(name)) {
    const path = join(dir, candidate)
    const stats = statOf(path)
    if (stats === null) continue
    if (!stats.isFile()) throw unreadable(path, 'is not a file', 'a file of this name')
    return { path, name: candidate, bytes: stats.size }
  }
  return null
}

/**
 * Lists every file below an archive's folder, sorted by name, which is the path from there with `/`. Links are followed. A path
 * of a file is an archive of that file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if it is not a readable folder, or something in it is no file, such as a link to
 *   nothing
 */
export function listArchiveFiles(dir: string): ArchiveFile[] {
  const of_path = statOf(dir)
  if (of_path?.isFile()) return [{ path: dir, name: basename(dir), bytes: of_path.size }]
  if (!of_path?.isDirectory()) throw unreadable(dir, of_path === null ? 'does not exist' : 'is not a folder', A_FOLDER)
  const files = namesBelow(dir).flatMap((name) => {
    const path = join(dir, name)
    const stats = statOf(path)
    if (stats?.isDirectory()) return []
    if (stats?.isFile()) return [{ path, name: name.split(sep).join('/'), bytes: stats.size }]
    throw unreadable(
      path,
      stats === null ? 'is a link to nothing' : 'is no file',
      'files and folders: move it elsewhere',
    )
  })
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the size of all files of an archive's folder. @throws like listArchiveFiles */
export function archiveBytes(dir: string): number {
  return listArchiveFiles(dir).reduce((sum, { bytes }) => sum + bytes, 0)
}

function namesBelow(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw unreadable(dir, `cannot be read (${code})`, A_FOLDER, error)
  }
}

/**
 * Reads the uncompressed bytes of a file in chunks. A compressed file is checked to its end: lengths and checksums.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if it cannot be read, VALIDATION_ARCHIVE_INVALID if compressed data are
 *   cut, corrupt or absent
 */
export async function* readArchiveFile(file: ArchiveFile): AsyncGenerator<Buffer> {
  const source = createReadStream(file.path, { highWaterMark: CHUNK_BYTES })
  const compression = compressionOf(file)
  try {
    yield* compression === null ? source : compression.unpack(source)
  } catch (error) {
    throw readError(file, compression, error)
  } finally {
    source.destroy()
  }
}

/** Returns how a file is compressed, by its name or, if the name does not say so, by its first bytes; null: it is not. */
export function compressionOf({ name, path }: ArchiveFile): Compression | null {
  return compressionOfName(name) ?? compressionOfHead(path)
}

function compressionOfName(name: string): Compression | null {
  return COMPRESSIONS.find(({ ending }) => name.toLowerCase().endsWith(ending)) ?? null
}

function compressionOfHead(path: string): Compression | null {
  const head = firstBytes(path).toString('hex')
  return COMPRESSIONS.find((one) => one.head.test(head)) ?? null
}

function firstBytes(path: string): Buffer {
  const head = Buffer.alloc(4)
  try {
    const file = openSync(path, 'r')
    try {
      return head.subarray(0, readSync(file, head, 0, 4, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return head.subarray(0, 0) // reading the file says why it cannot be read
  }
}

function gunzip(source: Readable): Readable {
  const gunzipped = createGunzip({ chunkSize: CHUNK_BYTES })
  source.on('error', (error) => gunzipped.destroy(error))
  return source.pipe(gunzipped)
}

function readError(file: ArchiveFile, compression: Compression | null, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (compression !== null && (error instanceof Bzip2Error || code.startsWith('Z_'))) {
    return invalid(file, compression, damageOf(code, error as Error), error)
  }
  return code === '' ? error : unreadable(file.path, `cannot be read (${code})`, 'a file that can be read', error)
}

/** Says in words how compressed data are damaged. */
function damageOf(code: string, error: Error): string {
  if (error instanceof Bzip2Error) return error.message
  return code === 'Z_BUF_ERROR' ? 'ends too early' : 'is corrupt'
}

function invalid(file: ArchiveFile, { form, ending, head }: Compression, how: string, error: unknown): ServiceError {
  const is_other = !head.test(firstBytes(file.path).toString('hex')) && file.bytes > 0
  const seen = is_other ? `has the ending ${ending} and is not a ${form} file` : how
  const next = is_other ? `rename it without ${ending}` : 'get it again'
  return new ServiceError(
    'VALIDATION_ARCHIVE_INVALID',
    `${file.name} ${seen}; allowed: a complete ${form} file: ${next}, or move it out of the folder (nothing of the archive was stored)`,
    { field: 'file', value: file.path },
    error,
  )
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw unreadable(path, `cannot be read (${code})`, A_FOLDER, error)
  }
}

const A_FOLDER = 'a folder with the files of the archive, or one file'

function unreadable(path: string, what: string, allowed: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `${path} ${what}; allowed: ${allowed}`,
    { field: 'dir', value: path },
    cause,
  )
}
