import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNote } from '../../../pipelines/transparency/signed-note.ts'

/** Text of the latest checkpoint of a log, which its signatures are over. */
export function latestText(root: string): string {
  return parseNote(readFileSync(join(root, 'log/checkpoint'), 'utf8')).text
}
