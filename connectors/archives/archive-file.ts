import { closeSync, createReadStream, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '../../primitives/errors.ts'
import { Bzip2Error, bunzip2 } from './bunzip2.ts'

/** One file of an archive: compressed if its name ends in `.gz` or `.bz2` or it begins like such a file, else plain text. */
export type ArchiveFile = { readonly path: string; readonly name: string; readonly bytes: number }

const CHUNK_BYTES = 256 * 1024

/** Endings of compressed files, the preferred one first. */
export const COMPRESSED_ENDINGS = ['.gz', '.bz2'] as const

/** Returns a file's name without the ending of its compression. */
export function uncompressedName(name: string): string {
  const ending = COMPRESSED_ENDINGS.find((one) => name.endsWith(one))
  return ending === undefined ? name : name.slice(0, -ending.length)
}

/**
 * Returns the file `name`.gz, `name`.bz2 or `name` of an archive's folder; the first of these that exists.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if neither is a readable file
 */
export function findArchiveFile(dir: string, name: string): ArchiveFile {
  const file = findOptionalArchiveFile(dir, name)
  if (file !== null) return file
  throw unreadable(
    dir,
    `${statOf(dir)?.isDirectory() ? `has no ${name}.gz and no ${name}` : 'is not a readable folder'}`,
  )
}

/** Returns the file `name`.gz, `name`.bz2 or `name`, or null if none exists. */
export function findOptionalArchiveFile(dir: string, name: string): ArchiveFile | null {
  for (const candidate of [...COMPRESSED_ENDINGS.map((ending) => name + ending), name]) {
    const path = join(dir, candidate)
    const stats = statOf(path)
    if (stats === null) continue
    if (!stats.isFile()) throw unreadable(path, 'is not a file')
    return { path, name: candidate, bytes: stats.size }
  }
  return null
}

/**
 * Lists every file below an archive's folder, sorted by name, which is the path from there with `/`. Links are followed. A path
 * of a file is an archive of that file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if it is not a readable folder
 */
export function listArchiveFiles(dir: string): ArchiveFile[] {
  const of_path = statOf(dir)
  if (of_path?.isFile()) return [{ path: dir, name: basename(dir), bytes: of_path.size }]
  if (!of_path?.isDirectory()) throw unreadable(dir, 'is not a readable folder')
  const files = namesBelow(dir).flatMap((name) => {
    const path = join(dir, name)
    const stats = statOf(path)
    return stats?.isFile() ? [{ path, name: name.split(sep).join('/'), bytes: stats.size }] : []
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
    throw unreadable(dir, `cannot be read (${code})`, error)
  }
}

/**
 * Reads the uncompressed bytes of a file in chunks. A compressed file is checked to its end: lengths and checksums.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if it cannot be read, VALIDATION_ARCHIVE_INVALID if compressed data are
 *   cut, corrupt or absent
 */
export async function* readArchiveFile(file: ArchiveFile): AsyncGenerator<Buffer> {
  const source = createReadStream(file.path, { highWaterMark: CHUNK_BYTES })
  try {
    const compression = compressionOf(file)
    if (compression === 'gzip') yield* gunzip(source)
    else yield* compression === 'bzip2' ? bunzip2(source) : source
  } catch (error) {
    throw readError(file, error)
  } finally {
    source.destroy()
  }
}

/**
 * Returns how a file is compressed, by its name or, if the name does not say so, by its first bytes (RFC 1952 2.3.1; `BZh` and
 * the size of blocks).
 */
export function compressionOf({ name, path }: ArchiveFile): 'gzip' | 'bzip2' | null {
  if (name.endsWith('.gz')) return 'gzip'
  if (name.endsWith('.bz2')) return 'bzip2'
  const head = firstBytes(path)
  if (head.length === 4 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip'
  return /^BZh[1-9]$/.test(head.toString('latin1')) ? 'bzip2' : null
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

function readError(file: ArchiveFile, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Bzip2Error) return invalid(file, error.message, 'bzip2', error)
  if (code.startsWith('Z_')) {
    return invalid(file, code === 'Z_BUF_ERROR' ? 'ends too early' : 'is corrupt', 'gzip', error)
  }
  return code === '' ? error : unreadable(file.path, `cannot be read (${code})`, error)
}

function invalid(file: ArchiveFile, how: string, form: 'gzip' | 'bzip2', error: unknown): ServiceError {
  return new ServiceError(
    'VALIDATION_ARCHIVE_INVALID',
    `${file.name} ${how}; allowed: a complete ${form} file (nothing of the archive was stored)`,
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
    throw unreadable(path, `cannot be read (${code})`, error)
  }
}

function unreadable(path: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `${path} ${what}; allowed: a folder with the files of the archive`,
    { field: 'dir', value: path },
    cause,
  )
}
