import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { hashFile } from '../store/hash-file.ts'
import type { LiveFile } from '../warehouse.ts'

/** Gives local paths of data files whose bytes have the hash their log states. */
export type VerifyFiles = (files: readonly LiveFile[]) => Promise<readonly string[]>

/**
 * Hashes each file once, and again when its size, time or inode changed: a serving process lives long, and a file that is
 * damaged under it must be named, not read.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the file that is missing, cut or changed (from the returned function)
 */
export function fileVerifier(root: string): VerifyFiles {
  const intact = new Map<string, string>()
  const verify = async (file: LiveFile): Promise<string> => {
    const path = join(root, file.key)
    const found = await stat(path).catch(() => null)
    if (found === null) throw damaged(file, 'it is missing')
    if (found.size !== file.size_bytes) {
      throw damaged(file, `it has ${found.size} bytes, its log says ${file.size_bytes}`)
    }
    const state = `${found.ino} ${found.mtimeMs} ${found.ctimeMs}`
    if (intact.get(path) === state) return path
    if ((await hashFile(path)) !== file.sha256) throw damaged(file, 'its bytes do not have the hash its log states')
    intact.set(path, state)
    return path
  }
  return async (files) => {
    const paths: string[] = []
    for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
      paths.push(...(await Promise.all(files.slice(from, from + FILES_AT_ONCE).map(verify))))
    }
    return paths
  }
}

/** Files that are looked at or hashed at the same time. */
const FILES_AT_ONCE = 16

function damaged(file: LiveFile, seen: string): ServiceError {
  return new ServiceError('WAREHOUSE_CORRUPT', `data file ${file.key} is damaged: ${seen}`, { file: file.key })
}
