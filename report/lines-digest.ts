import { createHash } from 'node:crypto'
import type { ReplayLine } from '../operations/replay-index.ts'

/** Takes lines and gives the SHA-256 of the NDJSON that `tidemark index replay --json` prints for them. */
export type LinesDigest = { add(line: ReplayLine): void; hex(): string }

/** A digest of no lines yet. A line's keys are printed in the order of the line. */
export function linesDigest(): LinesDigest {
  const hash = createHash('sha256')
  return {
    add: (line) => {
      hash.update(`${JSON.stringify(line)}\n`)
    },
    hex: () => hash.digest('hex'),
  }
}
