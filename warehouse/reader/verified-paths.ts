import { stat } from 'node:fs/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { hashFile } from '../store/hash-file.ts'
import type { Store } from '../store/store.ts'
import type { LiveFile } from '../warehouse.ts'

/** Returns local paths of data files after checking their bytes against the hashes in the log. */
export type VerifyFiles = (files: readonly LiveFile[]) => Promise<readonly string[]>

/**
 * Creates a check that hashes each file once, and again after its size, time or inode changed: a serving process runs for long,
 * and a file damaged meanwhile must be reported, not read.
 * The returned function throws ServiceError WAREHOUSE_CORRUPT, which names the file that is missing, truncated or changed.
 */
export function fileVerifier(store: Store): VerifyFiles {
  const intact = new Map<string, string>()
  const verify = async (file: LiveFile): Promise<string> => {
    if (store.remote !== undefined) return store.remote.copyOf(file, false)
    const path = await store.localPath(file.key)
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

/** Files checked at the same time. */
const FILES_AT_ONCE = 16

function damaged(file: LiveFile, seen: string): ServiceError {
  return new ServiceError('WAREHOUSE_CORRUPT', `data file ${file.key} is damaged: ${seen}`, { file: file.key })
}
