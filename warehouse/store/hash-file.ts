import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** SHA-256 of a file as hex; large files are read in pieces. */
export async function hashFile(path: string): Promise<string> {
  const { size } = await stat(path)
  const hash = createHash('sha256')
  if (size <= WHOLE_BYTES_MAX) return hash.update(await readFile(path)).digest('hex')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer)
  return hash.digest('hex')
}

const WHOLE_BYTES_MAX = 16 << 20
