import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of its own for the tests of this file, removed after the last one. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
