import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** File of the lines typed in the shell, newest first, in the cache of the settings. */
export function historyFile({ cache }: { readonly cache: string }): string {
  return join(cache, 'sql-history')
}

/** Reads the history; none if there is no file. */
export function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}

/** Writes the history, readable by its owner alone. A disk that cannot be written costs the history, not the shell. */
export function writeHistory(file: string, lines: readonly string[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  } catch {}
}
