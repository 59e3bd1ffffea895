import {
  BIGINT,
  BOOLEAN,
  DECIMAL,
  type DuckDBType,
  INTEGER,
  LIST,
  STRUCT,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api'
import type { Vector } from '@duckdb/node-bindings'
import type { ColumnType, RowValue } from '../../schema.ts'
import type { BatchColumn, ColumnSlice, RowBlock } from './batch-column.ts'
import { writeVector } from './write-vector.ts'

const PLAIN = { VARCHAR, INTEGER, BIGINT, BOOLEAN, TIMESTAMPTZ } as const

/** Column of lists or structs; its values are checked when they are written. */
export class NestedColumn implements BatchColumn {
  readonly #type: ColumnType
  readonly #slice: ColumnSlice
  readonly #values: RowValue[] = []
  #nulls = 0

  constructor(type: ColumnType, slice: ColumnSlice) {
    this.#type = type
    this.#slice = slice
  }

  add({ values, at }: RowBlock): void {
    for (const row of values) {
      const value = at < 0 ? null : row[at]
      if (value === null || value === undefined) this.#nulls += 1
      this.#values.push(value)
    }
  }

  nulls(): number {
    return this.#nulls
  }

  type(): DuckDBType {
    return nestedType(this.#type)
  }

  ascends(): boolean {
    return false
  }

  sortKey(): null {
    return null
  }

  write(vector: Vector, ordinals: Uint32Array): void {
    const values: RowValue[] = []
    for (let i = 0; i < ordinals.length; i += 1) values.push(this.#values[ordinals[i]!])
    writeVector(vector, this.#type, values, this.#slice.where)
  }

  statistics(): null {
    return null
  }
}

function nestedType(type: ColumnType): DuckDBType {
  if (typeof type === 'string') return PLAIN[type]
  if (type.kind === 'decimal') return DECIMAL(type.width, type.scale)
  if (type.kind === 'list') return LIST(nestedType(type.item))
  return STRUCT(Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, nestedType(field)])))
}
