import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { absentOn } from './absent-on.ts'

/** First value of a watermark. */
const LEAST = '0'
/** A rename may hide the file from a listing, but not from so many. */
const LISTINGS_MAX = 100

type WatermarkPorts = {
  /** Existing folder of unfinished files on the same file system. */
  readonly unfinished: string
  readonly syncFolder: (path: string) => Promise<void>
}

/**
 * Returns the value of a watermark; null: it was never raised. It is a folder with one empty file, named by the value. The folder
 * appears with its first file and is never empty.
 */
export function readWatermark(folder: string): number | null {
  for (let listing = 1; listing <= LISTINGS_MAX; listing++) {
    const names = namesIn(folder)
    if (names === null) return null
    if (names.length > 0) return Math.max(...names.map(Number))
  }
  throw new ServiceError('WAREHOUSE_CORRUPT', `${folder} is empty; expected a file named by an instant`, {
    file: folder,
  })
}

/**
 * Raises a watermark by renaming its file. That is a compare-and-set: of several processes that know the same value, one succeeds, and
 * a lower name never returns.
 */
export async function raiseWatermark(folder: string, to: number, ports: WatermarkPorts): Promise<void> {
  let value = readWatermark(folder)
  while (value === null || value < to) {
    if (value === null) await create(folder, ports)
    else await rename(join(folder, String(value)), join(folder, String(to))).catch(absentOn('ENOENT', undefined))
    value = readWatermark(folder)
  }
  await ports.syncFolder(folder) // also after another process's raise, which may not be durable yet
}

/** Creates the folder with its first file; has no effect if another process was first. */
async function create(folder: string, { unfinished, syncFolder }: WatermarkPorts): Promise<void> {
  const made = join(unfinished, randomUUID())
  await mkdir(made)
  await writeFile(join(made, LEAST), '')
  await syncFolder(made)
  await rename(made, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  await syncFolder(dirname(folder))
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name))
  } catch (error) {
    return absentOn('ENOENT', null)(error as NodeJS.ErrnoException)
  }
}
