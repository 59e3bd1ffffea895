import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256Hex } from '../../primitives/ids.ts'

/**
 * Stores something derived beside a warehouse's tables, whole or not at all, with its hash: it is never part of a table, and
 * it may be deleted at any time.
 * @param name below the folder of derived files
 */
export async function writeDerived(root: string, name: string, value: unknown): Promise<void> {
  const body = JSON.stringify(value)
  const path = derivedPath(root, name)
  const unfinished = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(unfinished, `${sha256Hex(body)}\n${body}`)
  await rename(unfinished, path)
}

/** Reads a value stored under a name; null if there is none or it is damaged. */
export async function readDerived(root: string, name: string): Promise<unknown> {
  const text = await readFile(derivedPath(root, name), 'utf8').catch(() => null)
  if (text === null) return null
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  return text.slice(0, end) === sha256Hex(body) ? JSON.parse(body) : null
}

function derivedPath(root: string, name: string): string {
  return join(root, '.derived', name)
}
