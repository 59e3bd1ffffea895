import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../datasets/sandbox/', import.meta.url))

/** The market files of the sandbox, in the order of their names. */
export function sandboxMarketFiles(): readonly string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))
  return names.sort().map((name) => join(FOLDER, name))
}
