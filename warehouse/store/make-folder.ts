import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and the missing folders above it. Node's own recursive `mkdir` repeats without end where the system refuses a
 * folder with ENOENT, as /proc does, and reports a read-only file system as ENOENT.
 * @param folder absolute path
 * @returns the first folder that was created; undefined if the folder existed
 * @throws the error of the system: EEXIST or ENOTDIR if a file is in the way, EROFS, EACCES, ENOSPC, ENOENT
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  if (isFolder(folder)) return undefined
  const above = dirname(folder)
  const first_made = above === folder ? undefined : await makeFolder(above)
  try {
    await mkdir(folder)
    return first_made ?? folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(folder)) return first_made // made meanwhile
    throw error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
