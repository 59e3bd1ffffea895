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
  const { store, table, verified } = context
  const is_verified = verified.has(file.key)
  if (store.remote === undefined && is_verified) return store.localPath(file.key)
  const path = await (store.remote?.copyOf(file, !is_verified) ?? checkedPath(context, file))
  if (path instanceof Damage) {
    throw new ServiceError('WAREHOUSE_CORRUPT', `data file ${file.key} is damaged: ${path.text}`, {
      table,
      file: file.key,
    })
  }
  verified.add(file.key)
  return path
}

/** Damage of a data file. */
export class Damage {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Returns a local path of a data file's bytes as they are in the store now, checked against its log; or its damage. */
export async function checkedPath({ store }: LogContext, file: LiveFile): Promise<string | Damage> {
  const found = await store.stat(file.key)
  if (found === null) return new Damage('it is missing')
  if (found.size_bytes !== file.size_bytes) {
    return new Damage(`it has ${found.size_bytes} bytes, its log says ${file.size_bytes}`)
  }
  const path = await store.localPath(file.key)
  return (await hashFile(path)) === file.sha256 ? path : new Damage('its bytes do not have the hash its log states')
}
