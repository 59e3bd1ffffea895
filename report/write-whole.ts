import { rename, rm, writeFile } from 'node:fs/promises'
import { ServiceError } from '../primitives/errors.ts'

/**
 * Writes a file that appears complete or not at all.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names `option` and the file where it cannot be written
 */
export async function writeWhole(path: string, content: string, option: string): Promise<void> {
  const partial = `${path}.${process.pid}.partial`
  try {
    await writeFile(partial, content, { flag: 'wx' })
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const message = `${option} is ${path} (${code}); allowed: a file that can be written`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { [option]: path }, error)
  }
}
