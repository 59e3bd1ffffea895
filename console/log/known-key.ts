import { textOf } from './bytes.ts'
import type { LogFiles } from './log-files.ts'
import { ProofFault } from './proof-fault.ts'
import type { SeenLogs } from './seen-logs.ts'
import { type LogKey, parseKey } from './signed-note.ts'
import type { Shown } from './verdict.ts'

/**
 * Reads the key of the log.
 * @throws {ProofFault} this browser has verified a log of that name with another key
 */
export async function readKey(files: LogFiles, seen: SeenLogs, signal: AbortSignal): Promise<Shown<LogKey>> {
  const key = await parseKey(textOf(await files.read('vkey', signal)))
  const before = seen.of(key.name)
  if (before !== null && before.vkey !== key.text)
    throw new ProofFault(`The key is another than the one that this browser saw before: ${before.vkey}`)
  const detail =
    before === null
      ? `First visit: compare the key with one from another source: ${key.text}`
      : `The key is the one that this browser saw before: ${key.text}`
  return { detail, value: key }
}
