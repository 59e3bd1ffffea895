import { ServiceError } from '../../primitives/errors.ts'
import { hashFile } from '../store/hash-file.ts'
import type { LogContext } from './log-context.ts'
import type { LiveFile } from './log-state.ts'

/**
 * Returns local paths of data files after checking their bytes against the hashes in the log. Each file is hashed once per
 * process, because data files never change.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the file that is missing, truncated or changed
 */
export async function verifiedPaths(context: LogContext, files: readonly LiveFile[]): Promise<string[]> {
  const paths: string[] = []
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    const some = files.slice(from, from + FILES_AT_ONCE)
    paths.push(...(await Promise.all(some.map((file) => verifiedPath(context, file)))))
  }
  return paths
}

/** Files checked at the same time. */
const FILES_AT_ONCE = 16

async function verifiedPath(context: LogContext, file: LiveFile): Promise<string> {
  const path = await context.store.localPath(file.key)
  if (context.verified.has(file.key)) return path
  const damage = await findDamage(context, file, path)
  if (damage !== null) {
    throw new ServiceError('WAREHOUSE_CORRUPT', `data file ${file.key} is damaged: ${damage}`, {
      table: context.table,
      file: file.key,
    })
  }
  context.verified.add(file.key)
  return path
}

/** Describes the damage of a data file; null: intact. */
export async function findDamage(context: LogContext, file: LiveFile, path: string): Promise<string | null> {
  const found = await context.store.stat(file.key)
  if (found === null) return 'it is missing'
  if (found.size_bytes !== file.size_bytes) return `it has ${found.size_bytes} bytes, its log says ${file.size_bytes}`
  return (await hashFile(path)) === file.sha256 ? null : 'its bytes do not have the hash its log states'
}
