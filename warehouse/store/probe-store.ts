import { randomUUID } from 'node:crypto'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { type Store, UNFINISHED } from './store.ts'

/**
 * Tests the conditional write of a store: the second write of a name must fail and change nothing. Otherwise two writers could
 * both win one version, so the warehouse does not open.
 * @returns false if the store is read-only
 * @throws {ServiceError} WAREHOUSE_STORE_UNSUITABLE, WAREHOUSE_STORE_FULL
 */
export async function probeStore(store: Store): Promise<boolean> {
  const key = `${UNFINISHED}/probe-${randomUUID()}`
  try {
    const first = await store.putIfAbsent(key, Buffer.from('first'))
    const second = await store.putIfAbsent(key, Buffer.from('second'))
    const kept = (await store.get(key))?.toString()
    if (first && !second && kept === 'first') return true
    throw unsuitable(store.root, 'two conditional writes of one name both succeeded')
  } catch (error) {
    const code = codeOf(isServiceError(error) ? error.cause : error)
    if (code === 'EROFS' || code === 'EACCES') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS' || code === 'EMLINK') {
      throw unsuitable(store.root, `a hard link was refused (${code})`)
    }
    throw error
  } finally {
    await store.delete(key).catch(() => undefined)
  }
}

function unsuitable(root: string, seen: string): ServiceError {
  return new ServiceError(
    'WAREHOUSE_STORE_UNSUITABLE',
    `warehouse ${root} is on a store without a safe conditional write: ${seen}; allowed: a file system with hard links`,
    { root, seen },
  )
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}
