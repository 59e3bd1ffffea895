import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKSUMS } from '../../connectors/archives/file-names.ts'
import type { SealedFile } from './recording-journal.ts'

/** Writes the checksums of the sealed files, whole: a reader sees the old ones or the new ones. */
export function writeChecksums(dir: string, sealed: readonly SealedFile[]): void {
  const path = join(dir, CHECKSUMS)
  writeFileSync(`${path}.new`, sealed.map(({ sha256, file }) => `${sha256}  ${file}\n`).join(''))
  renameSync(`${path}.new`, path)
}
