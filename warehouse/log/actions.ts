import type { Micros } from '../../primitives/instants.ts'

/**
 * The actions of the Delta Lake protocol that our logs consist of (delta-io/delta, PROTOCOL.md), one JSON document a line.
 * Their field names are the protocol's own. Paths are relative to the table's folder.
 */
export type Action =
  | { readonly commitInfo: CommitInfo }
  | { readonly protocol: Protocol }
  | { readonly metaData: MetaData }
  | { readonly txn: Transaction }
  | { readonly domainMetadata: DomainMetadata }
  | { readonly add: AddFile }
  | { readonly remove: RemoveFile }

export type CommitInfo = {
  readonly timestamp: number
  /** Milliseconds, strictly increasing from commit to commit; equals `published_at` if that allows it. */
  readonly inCommitTimestamp: number
  readonly operation: string
  readonly operationParameters: Readonly<Record<string, string>>
  readonly isBlindAppend: boolean
  readonly engineInfo: string
  readonly txnId: string
}

export type Protocol = {
  readonly minReaderVersion: number
  readonly minWriterVersion: number
  readonly writerFeatures: readonly string[]
}

export type MetaData = {
  readonly id: string
  readonly name: string
  readonly format: { readonly provider: 'parquet'; readonly options: Readonly<Record<string, string>> }
  readonly schemaString: string
  readonly partitionColumns: readonly string[]
  readonly createdTime: number
  readonly configuration: Readonly<Record<string, string>>
}

export type Transaction = { readonly appId: string; readonly version: number; readonly lastUpdated: number }

type DomainMetadata = {
  readonly domain: string
  readonly configuration: string
  readonly removed: boolean
}

export type AddFile = {
  readonly path: string
  readonly partitionValues: { readonly published_date: string }
  readonly size: number
  readonly modificationTime: number
  /** false: the rows were in other files before (compaction). */
  readonly dataChange: boolean
  readonly stats: string
  readonly tags: FileTags
}

/** Our own fields of a data file; Delta requires texts. */
type FileTags = {
  readonly 'tidemark.sha256': string
  /** Least and greatest `published_at` of its rows, in microseconds. */
  readonly 'tidemark.stamp_min': string
  readonly 'tidemark.stamp_max': string
}

export type RemoveFile = {
  readonly path: string
  readonly deletionTimestamp: number
  readonly dataChange: false
  readonly extendedFileMetadata: true
  readonly partitionValues: { readonly published_date: string }
  readonly size: number
}

/** The name of our metadata domain in every table log. */
export const DOMAIN = 'tidemark'

/** Content of our domain at a version; it replaces that of the version before. */
export type TableClock = {
  /** No later commit has a `published_at` at or before this instant; null before the first commit with one. */
  readonly sealed_through: Micros | null
  /** The last `published_at` of the latest commit with rows. */
  readonly head_stamp: Micros | null
  /** `inCommitTimestamp` of this commit, kept here too because checkpoints drop commitInfo. */
  readonly in_commit_ms: number
  /** `commit_sha256` of the version before: the hash chain. */
  readonly previous_sha256: string | null
  /** SHA-256 of the data files this commit adds, in the order of its add actions. */
  readonly content_sha256: readonly string[]
  /** SHA-256 of this commit file, with this one value as 64 zeros. */
  readonly commit_sha256: string
  /** First version whose commit file stays in the log; earlier ones are in its archive and may be gone. Absent: 0. */
  readonly log_start?: number
}
