import { createHash, webcrypto } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** Returns the SHA-256 of a file as hex, computed on another thread; large files are hashed in pieces. */
export async function hashFile(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size <= WHOLE_BYTES_MAX) {
    return Buffer.from(await webcrypto.subtle.digest('SHA-256', await readFile(path))).toString('hex')
  }
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** Returns the SHA-256 of a file that this process has just written, so that it is in memory: a small one is hashed at once. */
export async function hashWritten(path: string): Promise<string> {
  if (statSync(path).size > SMALL_BYTES_MAX) return hashFile(path)
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

const SMALL_BYTES_MAX = 65_536
const WHOLE_BYTES_MAX = 16 << 20
