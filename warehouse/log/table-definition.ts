import { type ColumnType, LOG_COLUMNS, type TableSchema } from '../schema.ts'
import type { Action } from './actions.ts'

/** Written into every commit to show which code made it. */
export const ENGINE = 'tidemark/0.1.0'

/** Partitions are days: `published_date` is the UTC day of `published_at`. It is in the log, not in the data files. */
export const PARTITION_COLUMN = 'published_date'

/**
 * Returns the actions that define a table in version 0 of its log. Any Delta reader may read it. The writer feature
 * `tidemarkBitemporal` is ours alone, so other engines refuse to write: they would bypass `published_at`.
 */
export function tableDefinition(name: string, schema: TableSchema, id: string, created_ms: number): Action[] {
  return [
    {
      protocol: {
        minReaderVersion: 1,
        minWriterVersion: 7,
        writerFeatures: ['appendOnly', 'inCommitTimestamp', 'domainMetadata', 'tidemarkBitemporal'],
      },
    },
    {
      metaData: {
        id,
        name,
        format: { provider: 'parquet', options: {} },
        schemaString: schemaText(schema),
        partitionColumns: [PARTITION_COLUMN],
        createdTime: created_ms,
        configuration: CONFIGURATION,
      },
    },
  ]
}

/** Statistics cover every column: Delta's default of the first 32 would omit the clocks of wide tables, which are last. */
const CONFIGURATION = {
  'delta.appendOnly': 'true',
  'delta.enableInCommitTimestamps': 'true',
  'delta.dataSkippingNumIndexedCols': '-1',
}

const texts = new WeakMap<TableSchema, string>()

/** Returns the JSON text of a table's columns, made once: each warehouse that is opened asks for those of all tables. */
export function schemaText(schema: TableSchema): string {
  const text = texts.get(schema) ?? JSON.stringify(deltaSchema(schema))
  texts.set(schema, text)
  return text
}

/** Returns Delta's JSON form of a table's columns. All are nullable there; required columns are checked on append. */
export function deltaSchema(schema: TableSchema): object {
  const fields = Object.entries({ ...schema.columns, ...LOG_COLUMNS }).map(([name, type]) =>
    field(name, deltaType(type)),
  )
  return { type: 'struct', fields: [...fields, field(PARTITION_COLUMN, 'date')] }
}

function field(name: string, type: unknown): object {
  return { name, type, nullable: true, metadata: {} }
}

const PLAIN = {
  VARCHAR: 'string',
  INTEGER: 'integer',
  BIGINT: 'long',
  BOOLEAN: 'boolean',
  TIMESTAMPTZ: 'timestamp',
} as const

function deltaType(type: ColumnType): unknown {
  if (typeof type === 'string') return PLAIN[type]
  if (type.kind === 'decimal') return `decimal(${type.width},${type.scale})`
  if (type.kind === 'list') return { type: 'array', elementType: deltaType(type.item), containsNull: true }
  return { type: 'struct', fields: Object.entries(type.fields).map(([name, inner]) => field(name, deltaType(inner))) }
}
