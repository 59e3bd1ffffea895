import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../primitives/errors.ts'

/** Links that a path may lead through, as on Linux. */
const LINKS_MAX = 40
/** Paths of the descriptors of a process. */
const DESCRIPTOR = /^\/(dev\/(std(in|out|err)$|fd\/)|proc\/)/
/** System calls of a file that is written; others belong to the source of its bytes. */
const FILE_CALLS = /^(open|write|close|fsync|rename|stat|readlink|realpath|ftruncate|copyfile)$/

type OutputOptions = {
  /** Name of the option that names the file, for errors. */
  readonly option: string
  /** Mode of a new file; the default is that of the process. */
  readonly mode?: number
}

/**
 * Writes a file that a user named. A regular or missing file appears complete or not at all: it is written beside and renamed. A link
 * stays, and the file it names is replaced. What is no regular file, such as a pipe or a device, is written into.
 * @param content  the text, or what writes it to the stream that it is given
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names the option and the file where it cannot be written; as `content`
 */
export async function writeOutput<T = void>(
  path: string,
  content: string | ((stream: Writable) => Promise<T>),
  { option, mode = 0o666 }: OutputOptions,
): Promise<T> {
  const write = typeof content === 'string' ? (stream: Writable) => pipeline([content], stream) as Promise<T> : content
  try {
    const replaced = await replacedFile(path, option)
    if (replaced === null) return await writeTo(await open(path, constants.O_WRONLY), write)
    return await writeBeside(replaced, write, mode)
  } catch (error) {
    throw fileError(error, path, option)
  }
}

/** Moves a finished file to the place that a user named, where a regular file, or none, may be. @throws {ServiceError} as writeOutput */
export async function moveToOutput(finished: string, path: string, option: string): Promise<void> {
  try {
    const replaced = await replacedFile(path, option)
    if (replaced === null) throw refused(path, option, 'no regular file')
    await rename(finished, replaced)
  } catch (error) {
    throw fileError(error, path, option)
  }
}

async function writeBeside<T>(path: string, write: (stream: Writable) => Promise<T>, mode: number): Promise<T> {
  const partial = `${path}.${process.pid}.partial`
  const file = await open(partial, 'wx', mode)
  try {
    const done = await writeTo(file, write)
    await rename(partial, path)
    return done
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function writeTo<T>(file: FileHandle, write: (stream: Writable) => Promise<T>): Promise<T> {
  const stream = file.createWriteStream()
  try {
    return await write(stream)
  } finally {
    stream.destroy()
  }
}

/** Returns the path of the file that a write replaces; null: the path names what no rename may replace. */
async function replacedFile(path: string, option: string): Promise<string | null> {
  const found = await stat(path).catch(absent)
  if (found === null) return missingFile(path, LINKS_MAX)
  if (!found.isFile()) return null
  if (!DESCRIPTOR.test(resolve(path))) return realpath(path)
  throw refused(path, option, 'a regular file that another program has open')
}

/** Returns the path of a file that does not exist yet, behind the links that lead to it. */
async function missingFile(path: string, links: number): Promise<string> {
  const place = join(await realpath(dirname(path)), basename(path))
  const link = links === 0 ? null : await readlink(place).catch(() => null)
  return link === null ? place : missingFile(resolve(dirname(place), link), links - 1)
}

function absent(error: NodeJS.ErrnoException): Stats | null {
  if (error.code === 'ENOENT') return null
  throw error
}

function fileError(error: unknown, path: string, option: string): unknown {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  return FILE_CALLS.test(syscall) ? refused(path, option, code, error) : error
}

function refused(path: string, option: string, seen: string, cause?: unknown): ServiceError {
  const message = `${option} is ${path} (${seen}); allowed: a file that can be written`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { [option]: path }, cause)
}
