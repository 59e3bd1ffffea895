import { CONTRACT_VERSION } from '../contract/operations.ts'

/** Receives sentences for the developer. */
export type OnWarning = (warning: string) => void

/** Creates the check that warns once when a service speaks a newer contract than this client. */
export function createContractNotice(onWarning: OnWarning): (schema_version: unknown) => void {
  let has_warned = false
  return (schema_version) => {
    if (has_warned || !isNewer(schema_version, CONTRACT_VERSION)) return
    has_warned = true
    onWarning(
      `The service speaks contract ${schema_version}, this client ${CONTRACT_VERSION}; a newer tidemark-client knows all of it`,
    )
  }
}

/** Whether a version such as `1.2` is above another; false for anything else. */
export function isNewer(version: unknown, than: string): boolean {
  const [ours, theirs] = [partsOf(than), typeof version === 'string' ? partsOf(version) : null]
  if (ours === null || theirs === null) return false
  const at = theirs.findIndex((part, i) => part !== (ours[i] ?? 0))
  return at >= 0 && theirs[at]! > (ours[at] ?? 0)
}

function partsOf(version: string): readonly number[] | null {
  return /^\d+(\.\d+)*$/.test(version) ? version.split('.').map(Number) : null
}

/** Writes to the console of the platform. */
export function warnOnConsole(warning: string): void {
  const { console: platform } = globalThis as { console?: { warn(text: string): void } }
  platform?.warn(`tidemark-client: ${warning}`)
}
