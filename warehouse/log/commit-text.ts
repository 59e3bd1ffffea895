import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { type Action, type CommitInfo, DOMAIN, type TableClock } from './actions.ts'

const ZEROS = '0'.repeat(64)
/** The value is in a JSON text inside a JSON text, hence the escaped quotes; only our domain's line has it. */
const SEAL = /^(\{"domainMetadata":.*\\"commit_sha256\\":\\")([0-9a-f]{64})/m

/** Commit file, parsed and checked. */
export type Commit = {
  readonly version: number
  readonly info: CommitInfo
  readonly clock: TableClock
  readonly actions: readonly Action[]
}

/** Returns the key of a commit file. */
export function commitKey(table: string, version: number): string {
  return `${table}/_delta_log/${String(version).padStart(20, '0')}.json`
}

/**
 * Returns the text of a commit file: one action per line, commitInfo first as inCommitTimestamp requires, then our domain.
 * The file contains its own hash, so every reader detects a flipped byte, and the hash of the version before, so no version
 * can be replaced.
 */
export function commitText(
  info: CommitInfo,
  clock: Omit<TableClock, 'commit_sha256'>,
  actions: readonly Action[],
): { readonly text: string; readonly commit_sha256: string } {
  const configuration = JSON.stringify({ ...clock, commit_sha256: ZEROS } satisfies TableClock)
  const domain: Action = { domainMetadata: { domain: DOMAIN, configuration, removed: false } }
  const blank = [{ commitInfo: info } satisfies Action, domain, ...actions]
    .map((a) => `${JSON.stringify(a)}\n`)
    .join('')
  const commit_sha256 = sha256Hex(blank)
  return { text: blank.replace(SEAL, `$1${commit_sha256}`), commit_sha256 }
}

/**
 * Reads a commit file and checks its hash.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the file
 */
export function parseCommit(table: string, version: number, bytes: Uint8Array): Commit {
  const text = Buffer.from(bytes).toString('utf8')
  const stated = SEAL.exec(text)?.[2]
  if (stated === undefined) throw corrupt(table, version, 'it has no commit_sha256')
  if (sha256Hex(text.replace(SEAL, `$1${ZEROS}`)) !== stated) {
    throw corrupt(table, version, 'its bytes do not match the hash in it')
  }
  const lines = text.trimEnd().split('\n')
  const actions = lines.map((line) => JSON.parse(line) as Action)
  return { version, info: infoOf(actions[0]!), clock: clockOf(actions[1]!), actions: actions.slice(2) }
}

function infoOf(action: Action): CommitInfo {
  return (action as { commitInfo: CommitInfo }).commitInfo
}

/** Parses our domain's content from a domainMetadata action. */
export function clockOf(action: Action): TableClock {
  return JSON.parse(
    (action as { domainMetadata: { configuration: string } }).domainMetadata.configuration,
  ) as TableClock
}

/** Builds the error for a damaged log file. */
export function corrupt(table: string, version: number, seen: string): ServiceError<'WAREHOUSE_CORRUPT'> {
  const file = commitKey(table, version)
  return new ServiceError('WAREHOUSE_CORRUPT', `log file ${file} is damaged: ${seen}`, {
    table,
    file,
    version: String(version),
  })
}
